import createClient from "openapi-fetch";
import type { components, paths } from "../../client/schema.d.ts";
import { ApiFault, createOfflineFault, type FaultyResponse, parseFault } from "./api-fault.ts";

/** Calls of the API. Screens take their types from here. */

/** Resources and bodies, by their schema name in the OpenAPI document. */
export type Schemas = components["schemas"];

/** Reacts to faults that concern the whole dashboard. */
type FaultListener = (fault: ApiFault) => void;

let workspaceSlug: string | null = null;
let notify: FaultListener = () => {};

/** Typed client of the API at the origin of the page. The session is a cookie. */
export const api = createClient<paths>({ baseUrl: location.origin, credentials: "same-origin" });

api.use({
  onRequest({ request }) {
    if (workspaceSlug !== null) request.headers.set("X-SVC-Workspace", workspaceSlug);
    return request;
  },
});

/** Sets the workspace that all further calls are for. */
export function setCallWorkspace(slug: string | null): void {
  workspaceSlug = slug;
}

/** Returns the header that names the workspace, for operations of people: their types ask for it. */
export function getWorkspaceHeader(): { "X-SVC-Workspace": string } {
  return { "X-SVC-Workspace": workspaceSlug ?? "" };
}

/** Sets the function that hears of every fault. */
export function onFault(listener: FaultListener): void {
  notify = listener;
}

/** Call under way, as the client returns it. */
type Call<Body> = Promise<{ data?: Body; error?: unknown; response: Response }>;

/** Waits for a call. Returns its body, and throws an {@link ApiFault} for every failure. */
export async function callApi<Body>(call: Call<Body>): Promise<Body> {
  const result = await call.catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault === null) return result?.data as Body;
  notify(fault);
  throw fault;
}

/** Returns the fault of a finished call, or null. */
export function readFault({ data, error, response }: Awaited<Call<unknown>>): ApiFault | null {
  if (response.ok && data !== undefined) return null;
  const faulty: FaultyResponse = {
    status: response.status,
    body: error,
    retryAfter: response.headers.get("Retry-After"),
  };
  return parseFault(faulty);
}

/** Turns whatever was thrown into a fault. */
export function asFault(thrown: unknown): ApiFault {
  if (thrown instanceof ApiFault) return thrown;
  return new ApiFault({
    kind: "server",
    code: "INTERNAL_ERROR",
    message: "Something went wrong on this page. Reload it.",
  });
}
