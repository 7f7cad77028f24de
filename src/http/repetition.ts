import { ApiError } from "../core/error.ts";
import { isUuid } from "../core/id.ts";
import { isLostWrite, repeatOnce } from "../db/retry.ts";
import type { ApiContext } from "./context.ts";
import type { Operation, Route } from "./operation.ts";

type Run = () => ReturnType<Route["handle"]>;

/**
 * Runs a handler, and once more if the response to one of its writes was lost. The second run is a retry of the same
 * request, as with an `Idempotency-Key` (`RequestOrigin.isRetry`): it derives the same ids and finds what the first run
 * wrote. A second run of a deletion that finds nothing has done what was asked.
 */
export async function runRepeatably(
  c: ApiContext,
  method: Operation["method"],
  run: Run,
): ReturnType<Route["handle"]> {
  let runs = 0;
  const runOrRetry = () => {
    runs += 1;
    if (runs > 1) c.set("origin", { requestId: c.var.origin?.requestId ?? c.var.requestId, isRetry: true });
    return run();
  };
  try {
    return await repeatOnce(runOrRetry, isLostWrite);
  } catch (error) {
    const id = Object.values(c.req.param()).at(-1) ?? "";
    const isGone = error instanceof ApiError && error.code === "RESOURCE_NOT_FOUND" && isUuid(id);
    if (runs > 1 && method === "delete" && isGone) return { data: { id, deleted: true } };
    throw error;
  }
}
