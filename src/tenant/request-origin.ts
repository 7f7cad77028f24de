import { ApiError } from "../core/error.ts";
import { deriveUuid } from "../core/id.ts";

/**
 * Request from which ids of new resources are derived: the current request, or the first request with the
 * same Idempotency-Key if that request ended without a response. In the second case, the first request may
 * already have created the resources.
 */
export interface RequestOrigin {
  requestId: string;
  /** True if an earlier request with the same Idempotency-Key may have done the work. */
  isRetry: boolean;
}

/** Part of a tenant from which ids are derived. */
interface Originated {
  origin: RequestOrigin;
}

/**
 * Returns the id of the `ordinal`-th resource that a request creates. Retries of the request derive the same
 * id, so the primary key prevents a second creation.
 */
export function deriveId({ origin }: Originated, ordinal = 0): string {
  return deriveUuid(origin.requestId, ordinal);
}

/**
 * Returns the resource that an earlier attempt of this request created, or null. Call it after a failed
 * creation, because the failure may be a conflict with that resource. `id` is the resource's id. `find` must
 * throw `RESOURCE_NOT_FOUND` if no resource has the id.
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
