import { createNotFoundError, createValidationError } from "../core/error.ts";
import type { ListPage } from "../db/list-page.ts";
import { closeGate, type ScanGates } from "../guards/limited-visit.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createPlanLimitError, isPlanExceeded } from "../tenant/usage.ts";
import { eraseItem, listTrash, restoreItem, type Trashed, type TrashPage } from "../trash/trash.ts";
import {
  changePaths,
  explainAliasConflict,
  isAliasConflict,
  isCodeConflict,
  rejectReservedAliases,
} from "./aliases.ts";
import { rejectOwnDomains } from "./destinations.ts";
import { insertRestored, removeLink } from "./link-writes.ts";
import type { LinkFilter, LinkRestoration } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";
import { createExternalIdError, createSlugError, getLink, isExternalIdConflict } from "./links.ts";

/**
 * Moves a link to the trash, which frees its paths for other links of the workspace. A permanent deletion erases
 * it, also if it is in the trash. Throws `RESOURCE_NOT_FOUND`.
 */
export async function deleteLink(
  tenant: Tenant,
  gates: ScanGates,
  linkId: string,
  isPermanent: boolean,
): Promise<void> {
  const deleted = await removeLink(tenant, linkId, isPermanent);
  if (deleted !== undefined) {
    if (deleted.maxScans !== null) tenant.waitUntil(closeGate(gates, deleted));
  } else if (isPermanent) {
    await eraseItem(tenant, "link", linkId);
  } else {
    throw createNotFoundError("link");
  }
}

/**
 * Brings a link back from the trash, with the paths and the external id of the input instead of its own. Returns a
 * link that isn't deleted as it is. Throws `RESOURCE_NOT_FOUND`, `SLUG_TAKEN`, `ALIAS_TAKEN`,
 * `EXTERNAL_ID_TAKEN`, `PLAN_LIMIT_EXCEEDED`, and `VALIDATION_ERROR` if a workspace has added a host of its
 * destinations.
 */
export async function restoreLink(tenant: Tenant, linkId: string, input: LinkRestoration): Promise<Link> {
  rejectReservedAliases(tenant, input);
  return restoreItem(tenant, "link", links, linkId, (trashed) => insertLink(tenant, trashed, input), getLink);
}

async function insertLink(
  tenant: Tenant,
  trashed: Trashed<Link>,
  { custom_slug, aliases, external_id }: LinkRestoration,
): Promise<Link> {
  const { row } = trashed;
  const paths = changePaths(row, { custom_slug, aliases, keep_old_code: false });
  const externalId = external_id === undefined ? row.externalId : external_id;
  try {
    return await insertRestored(tenant, trashed, { ...paths, externalId });
  } catch (error) {
    if (isPlanExceeded(error)) throw createPlanLimitError(tenant, "dynamic_qr");
    if (isCodeConflict(error)) throw createSlugError(paths.shortCode);
    if (isAliasConflict(error)) throw await explainAliasConflict(tenant, { ...paths, id: row.id }, error);
    if (isExternalIdConflict(error)) throw createExternalIdError({ external_id: externalId });
    const { destination, routingRules: routing_rules, earlyUrl: early_url, expiredUrl: expired_url } = row;
    await rejectOwnDomains(tenant, { destination, routing_rules, early_url, expired_url });
    throw error;
  }
}

/** Lists the links in the trash. Throws `VALIDATION_ERROR` for a filter or another order. */
export async function listDeletedLinks(
  tenant: Tenant,
  { sort, archived, ...others }: LinkFilter,
  page: ListPage,
): Promise<TrashPage<Link>> {
  const changed = {
    ...others,
    sort: sort === "created_at" ? undefined : sort,
    archived: archived === "false" ? undefined : archived,
  };
  const field = Object.entries(changed).find(([, value]) => value !== undefined)?.[0];
  if (field !== undefined)
    throw createValidationError({ field, message: "must not be combined with `deleted`" });
  return listTrash(tenant, "link", links, page);
}
