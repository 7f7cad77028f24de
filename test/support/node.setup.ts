import { expect } from "vitest";

// Files of test/worker share the bindings in memory, as they share an isolate in workerd.
if (expect.getState().testPath?.includes("/test/worker/")) {
  const { prepareWorkerFile } = await import("./worker-file.ts");
  await prepareWorkerFile();
}
