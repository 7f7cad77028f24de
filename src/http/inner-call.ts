import type { ApiVariables } from "./context.ts";

/** Marks calls that the Worker makes to its own API on behalf of a verified request. */

/** Caller data that is passed along, so that the key isn't verified again and the call is counted once. */
export type InnerCaller = Pick<ApiVariables, "caller" | "workspace" | "countedCall">;

/**
 * Callers by request object. Only code in this isolate can create these objects, so entries can't be forged.
 */
const callers = new WeakMap<Request, InnerCaller>();

/** Marks a request as sent by the caller. Returns the request. */
export function callAs(caller: InnerCaller, request: Request): Request {
  callers.set(request, caller);
  return request;
}

/** Returns the caller of a request that the Worker created, or undefined. */
export function findInnerCaller(request: Request): InnerCaller | undefined {
  return callers.get(request);
}
