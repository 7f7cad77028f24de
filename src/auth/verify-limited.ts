import { ApiError } from "../core/error.ts";
import type { ApiContext } from "../http/context.ts";
import { UnknownLimit, UnknownLimitError } from "../limits/unknown-limit.ts";

/**
 * Verifies a credential, given as a hash, unless its network has sent too many credentials that were
 * rejected. Throws `RATE_LIMIT_EXCEEDED` then, and otherwise what `verify` throws.
 */
export async function verifyLimited<Verified>(
  c: ApiContext,
  kind: "api key" | "session",
  hash: string,
  verify: () => Promise<Verified>,
): Promise<Verified> {
  const limit = new UnknownLimit(c.env.UNKNOWN_LIMIT, c.req.raw.headers, c.var.nowMs, kind);
  let rejection: unknown;
  const read = () =>
    verify().catch((error: unknown) => {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      rejection = error;
      return null;
    });
  const verified = await limit.lookUp(hash, read).catch((error: unknown) => {
    throw error instanceof UnknownLimitError ? createLimitError(kind, error) : error;
  });
  if (verified === null) throw rejection;
  return verified;
}

function createLimitError(kind: string, { retryAfterSeconds }: UnknownLimitError): ApiError {
  return new ApiError("RATE_LIMIT_EXCEEDED", `Your network has sent too many invalid ${kind}s.`, {
    headers: { "Retry-After": String(retryAfterSeconds) },
  });
}
