import { ApiError } from "../core/error.ts";
import { isUuid } from "../core/id.ts";
import { isLostWrite, repeatOnce } from "../db/retry.ts";
import type { ApiContext } from "./context.ts";

/**
 * Runs a handler, and runs it again if the database's response to one of the handler's writes was lost. The
 * second run is a retry of the same request, as with an `Idempotency-Key` (`RequestOrigin.isRetry`): it
 * derives the same ids and finds what the first run wrote. If the second run of a deletion finds nothing, the
 * first run has deleted the resource, so `buildDeleted` builds the result. Only deletions pass
 * `buildDeleted`.
 */
export async function runRepeatably<Result>(
  c: ApiContext,
  run: () => Promise<Result>,
  buildDeleted?: (id: string) => Result,
): Promise<Result> {
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
    if (runs > 1 && isGone && buildDeleted !== undefined) return buildDeleted(id);
    throw error;
  }
}
