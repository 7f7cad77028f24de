import { and, eq, ne } from "drizzle-orm";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { changeUuidTime, readUuidTime } from "../core/id.ts";
import { MINUTE_MS } from "../core/time.ts";
import { isUniqueViolation } from "../db/constraint.ts";
import { inJson } from "../db/in-json.ts";
import { generateShortCode, toCodeKey } from "../routing/short-code.ts";
import { hasFeature } from "../tenant/plans.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createPlanLimitError, isPlanExceeded } from "../tenant/usage.ts";
import {
  changePaths,
  explainAliasConflict,
  type FormerCodes,
  isAliasConflict,
  isCodeConflict,
  type LinkPaths,
  rejectReservedAliases,
} from "./aliases.ts";
import { rejectRedirectingDestinations, rejectRefusedHosts } from "./destinations.ts";
import { hashInputPassword, isStoredPassword, rejectPreviewImage } from "./guards.ts";
import {
  findUnplannedField,
  type InputColumns,
  type LinkInput,
  toColumns,
  toNewColumns,
} from "./link-input.ts";
import { insertLink, linkById, updateLinks } from "./link-writes.ts";
import type { LinkPatch, NewLink } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";
import { rejectUnknownTemplate } from "./template-check.ts";

/**
 * Maximum time by which the `created_at` of a link may be ahead of this clock. The time comes from another
 * clock.
 */
export const CLOCK_SKEW_MAX_MS = 5 * MINUTE_MS;

/** Maximum number of attempts to find a free code. Among 10^12 codes the second attempt is hardly ever needed. */
export const CODE_ATTEMPTS_MAX = 5;

/**
 * Creates a link. Throws `VALIDATION_ERROR`, `FEATURE_NOT_AVAILABLE`, `PLAN_LIMIT_EXCEEDED`, `SLUG_TAKEN`,
 * `ALIAS_TAKEN`.
 */
export async function createLink(tenant: Tenant, input: NewLink): Promise<Link> {
  rejectUnfitInput(tenant, input);
  await rejectUnknownTemplate(tenant, input);
  const hashed = await hashInputPassword(input);
  for (let attempt = 1; ; attempt++) {
    try {
      return await insertLink(tenant, buildRow(tenant, hashed));
    } catch (error) {
      const recovered = await recover(tenant, getLink, deriveLinkId(tenant, input));
      if (recovered !== null) return recovered;
      await rejectRefusedHosts(tenant, input);
      if (isPlanExceeded(error)) throw createPlanLimitError(tenant, "links");
      if (isAliasConflict(error)) throw await explainAliasConflict(tenant, buildRow(tenant, input), error);
      if (isExternalIdConflict(error)) throw createExternalIdError(input);
      if (!isCodeConflict(error)) throw error;
      if (input.custom_slug !== undefined) throw createSlugError(input.custom_slug);
      if (attempt === CODE_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Throws `VALIDATION_ERROR`, `FEATURE_NOT_AVAILABLE` for a new link that isn't allowed in the workspace. */
export function rejectUnfitInput(tenant: Tenant, input: NewLink): void {
  rejectRedirectingDestinations(tenant, input);
  rejectPreviewImage(tenant, input);
  rejectReservedAliases(tenant, input);
  if (input.created_at !== undefined && input.created_at > tenant.nowMs + CLOCK_SKEW_MAX_MS) {
    throw createValidationError({
      field: "created_at",
      message: "must not be more than 5 minutes in the future",
    });
  }
  const error = findPlanError(tenant, input);
  if (error !== null) throw error;
}

/**
 * Returns the id of the `ordinal`-th link that a request creates. The id contains the time of the request, or
 * an imported link's own time if that is earlier, because lists are in the order of ids.
 */
export function deriveLinkId(
  tenant: Tenant,
  { created_at }: Pick<NewLink, "created_at">,
  ordinal = 0,
): string {
  const id = deriveId(tenant, ordinal);
  return created_at !== undefined && created_at < readUuidTime(id) ? changeUuidTime(id, created_at) : id;
}

/**
 * Builds the row of the `ordinal`-th link that a request creates, with its custom slug or a new code. The
 * input's password must already be hashed.
 */
export function buildRow(tenant: Tenant, input: NewLink, ordinal = 0): Link {
  const { settings, workspace, nowMs } = tenant;
  const { custom_slug, created_at, ...fields } = input;
  const shortCode = custom_slug ?? generateShortCode();
  const id = deriveLinkId(tenant, { created_at }, ordinal);
  // A repeated request derives the same id as its first attempt, and so the same time. The time in an id may
  // be ahead of the clock.
  const createdAt = Math.min(readUuidTime(id), nowMs);
  const otherColumns: Omit<Link, keyof InputColumns> = {
    id,
    workspaceId: workspace.id,
    shortCode,
    codeKey: toCodeKey(shortCode),
    isCustom: custom_slug !== undefined,
    scanCount: 0,
    lastScanAt: null,
    createdAt,
    updatedAt: created_at === undefined ? createdAt : nowMs,
    qrRenderedAt: null,
    rankedScanCount: 0,
    rankedScanAt: null,
    // Set by the statement that inserts the row.
    position: null,
    formerCodes: [],
    destinationStatus: null,
    bannedAt: null,
  };
  return { ...otherColumns, ...toNewColumns(settings, fields) };
}

/** Returns a link of the workspace. Throws `RESOURCE_NOT_FOUND`. */
export async function getLink({ db, workspace }: Tenant, linkId: string): Promise<Link> {
  const [link] = await db.select().from(links).where(linkById(workspace.id, linkId));
  if (link === undefined) throw createNotFoundError("link");
  return link;
}

/**
 * Changes the fields of the patch. Throws `VALIDATION_ERROR`, `FEATURE_NOT_AVAILABLE`, `RESOURCE_NOT_FOUND`,
 * `SLUG_TAKEN`, `ALIAS_TAKEN`, `ALIAS_LIMIT_EXCEEDED`.
 */
export async function updateLink(
  tenant: Tenant,
  linkId: string,
  patch: LinkPatch,
  formerCodes: FormerCodes = {},
): Promise<Link> {
  rejectUnfitPatch(tenant, patch);
  if (Object.keys(patch).length === 0) return getLink(tenant, linkId);
  const planError = findPlanError(tenant, patch);
  if (planError !== null) {
    await getLink(tenant, linkId);
    throw planError;
  }
  if (tenant.origin.isRetry) {
    const current = await getLink(tenant, linkId);
    const { updatedAt } = current;
    if (updatedAt >= tenant.nowMs && (await hasValues(tenant, current, patch))) return current;
  }
  await rejectUnknownTemplate(tenant, patch, linkId);
  const { custom_slug, keep_old_code, aliases, ...fields } = await hashInputPassword(patch);
  const columns = toColumns(tenant.settings, fields);
  const byId = linkById(tenant.workspace.id, linkId);
  try {
    if (custom_slug === undefined && aliases === undefined) {
      const { updated } = await updateLinks(tenant, { changed: byId }, columns);
      if (updated[0] === undefined) throw createNotFoundError("link");
      return updated[0];
    }
    return await updatePaths(tenant, linkId, columns, patch, formerCodes);
  } catch (error) {
    if (!(error instanceof ApiError)) await rejectRefusedHosts(tenant, patch);
    if (isExternalIdConflict(error)) throw createExternalIdError(patch);
    if (custom_slug !== undefined && isCodeConflict(error)) throw createSlugError(custom_slug);
    throw error;
  }
}

/** Throws `VALIDATION_ERROR` for an update that isn't allowed in the workspace. */
export function rejectUnfitPatch(tenant: Tenant, patch: LinkPatch): void {
  rejectRedirectingDestinations(tenant, patch);
  rejectPreviewImage(tenant, patch);
  rejectReservedAliases(tenant, patch);
}

/** Updates columns and paths. The new paths depend on the current ones, so it repeats a lost race. */
async function updatePaths(
  tenant: Tenant,
  linkId: string,
  columns: Partial<Link>,
  patch: LinkPatch,
  formerCodes: FormerCodes,
): Promise<Link> {
  for (;;) {
    const current = await getLink(tenant, linkId);
    const paths = changePaths(current, patch, formerCodes);
    const unchanged = and(linkById(tenant.workspace.id, linkId), eq(links.updatedAt, current.updatedAt));
    try {
      const { updated } = await updateLinks(tenant, { changed: unchanged }, { ...columns, ...paths });
      if (updated[0] !== undefined) return updated[0];
    } catch (error) {
      if (!isAliasConflict(error)) throw error;
      throw await explainAliasConflict(tenant, { ...paths, id: linkId }, error);
    }
  }
}

/** Returns true if a link has a patch's values. It may have more aliases. */
export async function hasValues(
  { settings }: Tenant,
  link: Link,
  { password, custom_slug, keep_old_code: _, aliases, ...others }: LinkPatch,
): Promise<boolean> {
  if (password !== undefined && !(await isStoredPassword(password, link.passwordHash))) return false;
  if (custom_slug !== undefined && link.shortCode !== custom_slug) return false;
  if (!(aliases ?? []).every((alias) => alias === link.shortCode || link.aliases.includes(alias)))
    return false;
  const columns: Partial<Link> = toColumns(settings, others);
  const names = Object.keys(columns) as (keyof Link)[];
  return names.every((name) => JSON.stringify(link[name]) === JSON.stringify(columns[name]));
}

/** Result of {@link upsertLink}. */
export interface UpsertedLink {
  link: Link;
  isCreated: boolean;
}

/**
 * Creates the link with an external id, or changes the fields of the input that differ. Parallel calls create
 * one link, because the index on external ids is unique. A repeated call changes nothing, so new aliases don't
 * remove former short codes. Throws the errors of {@link createLink} and {@link updateLink}.
 */
export async function upsertLink(tenant: Tenant, externalId: string, input: NewLink): Promise<UpsertedLink> {
  const { created_at, external_id = externalId, ...patch } = input;
  if (external_id !== externalId) {
    throw createValidationError({ field: "external_id", message: "must equal the external id in the path" });
  }
  const keeping = { keepsFormerCodes: true };
  for (;;) {
    const found = await findByExternalId(tenant, externalId);
    try {
      if (found === undefined) {
        return { link: await createLink(tenant, { ...input, external_id }), isCreated: true };
      }
      if (tenant.origin.isRetry && found.id === deriveLinkId(tenant, input)) {
        return { link: found, isCreated: true };
      }
      const { custom_slug, aliases, ...fields } = patch;
      // Unchanged paths are left out, because updates of paths are repeated if other requests update the link.
      const change = hasPaths(found, changePaths(found, patch, keeping)) ? fields : patch;
      const isUnchanged = change === fields && (await hasValues(tenant, found, fields));
      const link = isUnchanged ? found : await updateLink(tenant, found.id, change, keeping);
      return { link, isCreated: false };
    } catch (error) {
      // Repeats only if another request has created or deleted the link since.
      if (!(error instanceof ApiError)) throw error;
      const isGone = (await findByExternalId(tenant, externalId)) === undefined;
      if (isGone === (found === undefined)) throw error;
    }
  }
}

function hasPaths(link: Link, { shortCode, aliases }: LinkPaths): boolean {
  return link.shortCode === shortCode && JSON.stringify(link.aliases) === JSON.stringify(aliases);
}

async function findByExternalId({ db, workspace }: Tenant, externalId: string): Promise<Link | undefined> {
  const byExternalId = and(eq(links.workspaceId, workspace.id), eq(links.externalId, externalId));
  const [link] = await db.select().from(links).where(byExternalId);
  return link;
}

/** Enables or disables links and skips unknown ids. Returns the number of the workspace's links among the ids. */
export async function setLinksEnabled(
  tenant: Tenant,
  linkIds: readonly string[],
  enabled: boolean,
): Promise<number> {
  const requested = and(eq(links.workspaceId, tenant.workspace.id), inJson(links.id, linkIds));
  const changed = and(requested, ne(links.enabled, enabled));
  const result = await updateLinks(tenant, { changed, counted: requested }, { enabled });
  return result.count;
}

/** Returns the error for the first field that the plan doesn't include, or null. */
export function findPlanError({ workspace: { plan } }: Tenant, input: LinkInput): ApiError | null {
  const field = findUnplannedField(input, (feature) => hasFeature(plan, feature));
  return field && new ApiError("FEATURE_NOT_AVAILABLE", `${field.name}: is not included in the ${plan} plan`);
}

/** Returns true if a statement failed because another link of the workspace has an external id. */
export function isExternalIdConflict(error: unknown): boolean {
  return isUniqueViolation(error, "links.workspace_id", "links.external_id");
}

/** Returns the error for an external id that another link of the workspace has. */
export function createExternalIdError({ external_id }: LinkInput): ApiError {
  return new ApiError(
    "EXTERNAL_ID_TAKEN",
    `external_id: ${external_id} is already used by another link in this workspace`,
  );
}

/** Returns the error for a custom slug that another link of the workspace has. */
export function createSlugError(slug: string): ApiError {
  return new ApiError("SLUG_TAKEN", `custom_slug: ${slug} is already used by another link in this workspace`);
}
