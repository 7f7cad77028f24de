import { buildPage, type EntryPage } from "../audit/list-entries.ts";
import { findEntry, findOnShard } from "../audit/shard-log.ts";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import type { ListPage } from "../db/list-page.ts";
import { listProblems } from "../http/validation.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { linkById } from "./link-writes.ts";
import { type LinkPatch, updateLinkBody } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";
import { updateLink } from "./links.ts";

/**
 * Returns a page of a link's changes, newest first. Also works for deleted links while their entries are
 * kept. Throws `RESOURCE_NOT_FOUND`.
 */
export async function listHistory(
  tenant: Tenant,
  linkId: string,
  page: Pick<ListPage, "limit" | "before">,
): Promise<EntryPage> {
  const { db, workspace } = tenant;
  const [found, existing] = await Promise.all([
    findOnShard(tenant, { resource_type: "link", resource: linkId }, page),
    db.select({ id: links.id }).from(links).where(linkById(workspace.id, linkId)),
  ]);
  const hasEntries = found.entries.length > 0 || page.before !== undefined;
  if (!hasEntries && existing.length === 0) throw createNotFoundError("link");
  return buildPage([found], page);
}

/** Result of {@link revertChange}. */
export interface Reverted {
  link: Link;
  /** True if the change also replaced or removed a password, which can't be restored. */
  isPasswordLost: boolean;
}

/**
 * Restores the values that a change replaced, through a regular update. Throws `RESOURCE_NOT_FOUND`,
 * `ENTRY_NOT_REVERTIBLE`, and the errors of an update if a previous value is no longer valid.
 */
export async function revertChange(tenant: Tenant, linkId: string, entryId: string): Promise<Reverted> {
  const entry = await findEntry(tenant, "link", linkId, entryId);
  if (entry === undefined) throw createNotFoundError("entry");
  const { short_code, has_password, password, former_codes, banned_at, ...others } = entry.changes;
  if (banned_at !== undefined) {
    throw createIrrevertibleError("Only the administrator of this service can ban a link or lift a ban.");
  }
  // Updates change no value of a short code from or to null, unlike creations and deletions.
  if (short_code?.includes(null)) {
    throw createIrrevertibleError(
      "Creating or deleting a link cannot be reverted. Delete the link, or create it again.",
    );
  }
  const wasUnprotected = has_password?.[0] === false;
  const former = Object.fromEntries(Object.entries(others).map(([name, [before]]) => [name, before]));
  const patch = {
    ...former,
    ...(short_code && { custom_slug: short_code[0] }),
    ...(wasUnprotected && { password: null }),
  };
  if (Object.keys(patch).length === 0) {
    throw createIrrevertibleError(
      "A previous password cannot be restored because passwords are not stored. Set a new one.",
    );
  }
  const formerCodes = former_codes?.[0] as string[] | undefined;
  const link = await updateLink(tenant, linkId, parsePatch(patch), { formerCodes });
  return { link, isPasswordLost: password !== undefined || has_password?.[0] === true };
}

/**
 * Validates previous values as the body of an update. Throws `VALIDATION_ERROR`, because the rules may have
 * changed since.
 */
function parsePatch(patch: object): LinkPatch {
  const { data, error } = updateLinkBody.safeParse(patch);
  if (error !== undefined) throw createValidationError(...listProblems(error.issues));
  return data;
}

function createIrrevertibleError(message: string): ApiError {
  return new ApiError("ENTRY_NOT_REVERTIBLE", message);
}
