import { context, evict, settle } from "./memory-bindings.ts";

/** Replaces the module `cloudflare:test` in tests of the Worker that run in Node. */

export const createExecutionContext = () => context;
export const waitOnExecutionContext = () => settle();
export const evictDurableObject = async (stub: object) => evict(stub);
