import { builtinEnvironments, type Environment } from "vitest/runtime";

/**
 * Node globals that stay: the service runs in the same process and exchanges requests and files with the
 * page.
 */
const KEPT = [
  ...[
    "AbortController",
    "AbortSignal",
    "Blob",
    "fetch",
    "File",
    "FormData",
    "Headers",
    "Request",
    "Response",
  ],
  ...["URL", "URLSearchParams"],
];

/** Environment of component tests: happy-dom at the dashboard's URL. */
export default {
  name: "components",
  viteEnvironment: "ssr",
  async setup(global, options) {
    const kept = KEPT.map((name) => [name, global[name]]);
    const url = "http://app.localhost:8787/";
    const environment = await builtinEnvironments["happy-dom"].setup(global, {
      ...options,
      happyDOM: { url },
    });
    Object.assign(global, Object.fromEntries(kept));
    return environment;
  },
} satisfies Environment;
