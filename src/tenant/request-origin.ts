import { ApiError } from "../core/error.ts";
import { deriveUuid } from "../core/id.ts";

/**
 * The request to which belongs what is made: the one at hand, or the first with its Idempotency-Key, if that one ended
 * without an answer. Then nobody knows how far it got, and what this one makes may be there already.
 */
export interface RequestOrigin {
  requestId: string;
  isRetry: boolean;
}

/** Who acts for a request: a tenant. */
interface Maker {
  origin: RequestOrigin;
}

/** The id of the `ordinal`-th thing that a request makes: the same, however often the request is repeated. */
export function deriveId({ origin }: Maker, ordinal = 0): string {
  return deriveUuid(origin.requestId, ordinal);
}

/**
 * What the request made when it was sent before; null if nothing. To be asked when making it failed: ids and slugs are
 * taken then, by what is looked for. `find` throws `RESOURCE_NOT_FOUND` where there is none.
 */
export async function recover<Tenant extends Maker, Made>(
  tenant: Tenant,
  find: (tenant: Tenant, id: string) => Promise<Made>,
): Promise<Made | null> {
  if (!tenant.origin.isRetry) return null;
  try {
    return await find(tenant, deriveId(tenant));
  } catch (error) {
    if (error instanceof ApiError && error.code === "RESOURCE_NOT_FOUND") return null;
    throw error;
  }
}
