import type { ApiVariables } from "./context.ts";

/** Calls that the Worker makes of its own API, on behalf of a request whose key it has verified. */

/** Facts about the caller, so that the key is not verified again and the call is counted once. */
export type InnerCaller = Pick<ApiVariables, "caller" | "workspace" | "countedCall">;

/** Callers by the request object itself, which nobody outside of this isolate can make. */
const callers = new WeakMap<Request, InnerCaller>();

/** Makes a request one of the caller. */
export function callAs(caller: InnerCaller, request: Request): Request {
  callers.set(request, caller);
  return request;
}

/** Returns the caller of a request that the Worker made itself. */
export function findInnerCaller(request: Request): InnerCaller | undefined {
  return callers.get(request);
}
