import type { components } from "../../client/schema.d.ts";
import { CallError, createOfflineFault, type FaultyResponse, parseFault } from "./call-error.ts";
import { createTypedClient } from "./typed-calls.ts";

/** Calls the API. Screens import the API's types from here. */

/** Resources and request bodies by their schema name in the OpenAPI document. */
export type Schemas = components["schemas"];

/** Called with the fault of every failed call. */
type FaultListener = (fault: CallError) => void;

let workspaceSlug: string | null = null;
let notify: FaultListener = () => {};

/** Typed API client without a workspace, for reading the session with all workspaces. */
export const sessionApi = createTypedClient(() => ({}));

/** Typed API client, bound to the workspace that the page shows. */
export const api = createTypedClient(() =>
  workspaceSlug === null ? {} : { "X-SVC-Workspace": workspaceSlug },
);

/**
 * Binds all calls to a workspace, once per page load. Another workspace needs another page load, so that no
 * call that waits goes to the wrong workspace.
 */
export function bindWorkspace(slug: string | null): void {
  workspaceSlug = slug;
}

/** Returns the workspace header. The types of operations that need a signed-in person require it. */
export function getWorkspaceHeader(): { "X-SVC-Workspace": string } {
  return { "X-SVC-Workspace": workspaceSlug ?? "" };
}

/** Sets the global error handler. */
export function onFault(listener: FaultListener): void {
  notify = listener;
}

/** Pending call, as returned by the client. */
type Call<Body> = Promise<{ data?: Body; error?: unknown; response: Response }>;

/** Waits for a call and returns its body. Throws an {@link CallError} for every failure. */
export async function callApi<Body>(call: Call<Body>): Promise<Body> {
  const result = await call.catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault === null) return result?.data as Body;
  notify(fault);
  throw fault;
}

/** Returns the fault of a finished call, or null if it succeeded. */
export function readFault({ data, error, response }: Awaited<Call<unknown>>): CallError | null {
  if (response.ok && data !== undefined) return null;
  const faulty: FaultyResponse = {
    status: response.status,
    body: error,
    retryAfter: response.headers.get("Retry-After"),
  };
  return parseFault(faulty);
}

/** Converts any thrown value to a fault. */
export function asFault(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown;
  return new CallError({
    kind: "server",
    code: "INTERNAL_ERROR",
    message: "Something went wrong. Reload the page.",
  });
}
