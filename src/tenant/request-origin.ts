import { ApiError } from "../core/error.ts";
import { deriveUuid } from "../core/id.ts";

/**
 * The request that ids of new resources are derived from: the current request, or the first request with the same
 * Idempotency-Key if that one ended without a response. In the second case the first request may have created the
 * resources already.
 */
export interface RequestOrigin {
  requestId: string;
  /** True if an earlier request with the same Idempotency-Key may have done the work. */
  isRetry: boolean;
}

/** The part of a tenant that ids are derived from. */
interface Originated {
  origin: RequestOrigin;
}

/**
 * Returns the id of the `ordinal`-th resource that a request creates. Every retry of the request derives the same id,
 * so the primary key rejects a second creation.
 */
export function deriveId({ origin }: Originated, ordinal = 0): string {
  return deriveUuid(origin.requestId, ordinal);
}

/**
 * Returns the resource that an earlier attempt of this request created, or null. `id` is that of the resource. Call it after a creation failed: the
 * failure may be a conflict with the resource of the earlier attempt. `find` throws `RESOURCE_NOT_FOUND` if there is
 * no resource with the id.
 */
export async function recover<Tenant extends Originated, Resource>(
  tenant: Tenant,
  find: (tenant: Tenant, id: string) => Promise<Resource>,
  id = deriveId(tenant),
): Promise<Resource | null> {
  if (!tenant.origin.isRetry) return null;
  try {
    return await find(tenant, id);
  } catch (error) {
    if (error instanceof ApiError && error.code === "RESOURCE_NOT_FOUND") return null;
    throw error;
  }
}
