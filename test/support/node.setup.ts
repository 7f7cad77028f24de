import { expect } from "vitest";

// Files of test/worker share the bindings in memory, as they share an isolate in workerd.
if (expect.getState().testPath?.includes("/test/worker/")) {
  const [{ env }, { checkLeftovers }] = await Promise.all([
    import("cloudflare:workers"),
    import("./leftovers.ts"),
  ]);
  checkLeftovers({ env, "crypto.subtle": crypto.subtle, "caches.default": caches.default });
}
