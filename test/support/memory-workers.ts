import { createBindings } from "./memory-bindings.ts";

/** Replaces the module `cloudflare:workers` in tests of the Worker that run in Node. */

export { DurableObject } from "./node-durable-object.ts";

export const env = createBindings(() => import("../../src/index.ts"));
