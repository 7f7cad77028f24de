import { and, eq, isNotNull } from "drizzle-orm";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { isRaised } from "../db/constraint.ts";
import { inJson } from "../db/in-json.ts";
import { listProblems } from "../http/validation.ts";
import { toCodeKey } from "../routing/short-code.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { changePaths, createAliasError, createVariantsError, findAliasConflicts } from "./aliases.ts";
import { findProblem, type RefusedItem, refuse, refuseOrThrow, toItemError } from "./bulk-error.ts";
import { findRefusedDestinations, rejectHosts } from "./destinations.ts";
import { hashInTurn } from "./guards.ts";
import { toColumns } from "./link-input.ts";
import { type LinkUpdate, updateEach } from "./link-writes.ts";
import { type BulkUpdateError, type LinkPatch, linkUpdate } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";
import {
  createExternalIdError,
  createSlugError,
  findPlanError,
  hasValues,
  rejectUnfitPatch,
} from "./links.ts";
import { findUnknownTemplates, UNKNOWN_TEMPLATE } from "./template-check.ts";

/** Maximum size of the columns that one statement sets, as JSON. D1 accepts values of up to 2 MB. */
const BATCH_MAX_BYTES = 524_288;
/** Maximum number of batches of a call. Nearly all calls need one. */
const BATCHES_MAX = 25;

const encoder = new TextEncoder();

/** Valid item that isn't written yet. */
interface PendingItem {
  status: "pending";
  id: string;
  patch: LinkPatch;
}

/** Result of one item. */
type ItemResult = { status: "updated"; link: Link } | RefusedItem | PendingItem;

/** Pending item of the next batch, with its new columns. */
interface PlannedItem extends PendingItem {
  index: number;
  update: LinkUpdate;
}

/** Result of a bulk update. Links and errors are in the order of their items. */
export interface BulkUpdateResult {
  updated: Link[];
  errors: BulkUpdateError[];
}

/**
 * Changes up to 100 links, each with a patch of its own, usually in one batch. Invalid items are reported and
 * don't stop the others. An item waits for the next batch if an earlier item has, or gives up, a name that it
 * wants.
 */
export async function changeLinks(tenant: Tenant, items: readonly unknown[]): Promise<BulkUpdateResult> {
  const checked = await refuseUnknownTemplates(tenant, checkItems(tenant, items));
  let results = await hashPending(checked);
  for (let batch = 1; results.some(isPending); batch++) {
    results = batch > BATCHES_MAX ? results.map(giveUp) : await changePending(tenant, results);
  }
  return {
    updated: results.flatMap((result) => (result.status === "updated" ? [result.link] : [])),
    errors: results.flatMap((result, index) =>
      result.status === "refused" ? [toItemError<BulkUpdateError>(index, result.error)] : [],
    ),
  };
}

function isPending(result: ItemResult): result is PendingItem {
  return result.status === "pending";
}

function giveUp(result: ItemResult): ItemResult {
  return isPending(result) ? refuse(createAliasError(undefined)) : result;
}

function checkItems(tenant: Tenant, items: readonly unknown[]): ItemResult[] {
  const ids = new Set<string>();
  return items.map((item): ItemResult => {
    const { success, data, error } = linkUpdate.safeParse(item);
    if (!success) return refuse(createValidationError(...listProblems(error.issues)));
    const { id, ...patch } = data;
    if (ids.has(id)) {
      return refuse(createValidationError({ field: "id", message: "must not be repeated in the same call" }));
    }
    ids.add(id);
    const problem = findProblem(() => rejectUnfitPatch(tenant, patch)) ?? findPlanError(tenant, patch);
    return problem === null ? { status: "pending", id, patch } : refuse(problem);
  });
}

/** Refuses the pending items whose QR template doesn't exist. */
async function refuseUnknownTemplates(
  tenant: Tenant,
  results: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  const pending = results.filter(isPending);
  const patches = pending.map(({ patch }) => patch);
  const ids = pending.map(({ id }) => id);
  const unknown = await findUnknownTemplates(tenant, patches, ids);
  return results.map((result) =>
    isPending(result) && unknown.has(result.patch.qr_template_id ?? "")
      ? refuse(createValidationError(UNKNOWN_TEMPLATE))
      : result,
  );
}

/** Hashes the passwords of the pending items. */
async function hashPending(results: readonly ItemResult[]): Promise<ItemResult[]> {
  const hashed: ItemResult[] = [];
  for (const result of results) {
    hashed.push(isPending(result) ? { ...result, patch: await hashInTurn(result.patch) } : result);
  }
  return hashed;
}

/** Writes one batch of pending items. */
async function changePending(tenant: Tenant, results: readonly ItemResult[]): Promise<ItemResult[]> {
  const current = await readCurrent(tenant, results.filter(isPending));
  const next = await settleKnown(tenant, results, current);
  const planned = planBatch(tenant, next, current);
  if (planned.length === 0) return next;
  try {
    const written = await updateEach(
      tenant,
      planned.map(({ update }) => update),
    );
    for (const [index, result] of await explainResults(tenant, planned, written)) next[index] = result;
  } catch (error) {
    for (const [index, result] of await explainFailure(tenant, planned, error)) next[index] = result;
  }
  return next;
}

/** Reads the links whose new columns depend on their current ones, or that an earlier attempt may have written. */
async function readCurrent(
  { db, workspace, origin }: Tenant,
  pending: readonly PendingItem[],
): Promise<Map<string, Link> | null> {
  const ids = pending.filter(({ patch }) => origin.isRetry || needsCurrent(patch)).map(({ id }) => id);
  if (ids.length === 0) return null;
  const found = await db
    .select()
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), inJson(links.id, ids)));
  return new Map(found.map((link) => [link.id, link]));
}

/** Returns true if a patch changes names, or nothing. */
function needsCurrent(patch: LinkPatch): boolean {
  const { custom_slug, aliases, external_id } = patch;
  const changesNames = custom_slug !== undefined || aliases !== undefined || external_id !== undefined;
  return changesNames || Object.keys(patch).length === 0;
}

/** Settles the items whose links don't exist, or already have the new values. */
async function settleKnown(
  tenant: Tenant,
  results: readonly ItemResult[],
  current: Map<string, Link> | null,
): Promise<ItemResult[]> {
  if (current === null) return [...results];
  const { origin, nowMs } = tenant;
  const settled: ItemResult[] = [];
  for (const result of results) {
    const wasRead = isPending(result) && (origin.isRetry || needsCurrent(result.patch));
    const link = wasRead ? current.get(result.id) : undefined;
    const isWritten = link !== undefined && origin.isRetry && link.updatedAt >= nowMs;
    if (!wasRead) settled.push(result);
    else if (link === undefined) settled.push(refuse(createNotFoundError("link")));
    else if (
      Object.keys(result.patch).length === 0 ||
      (isWritten && (await hasValues(tenant, link, result.patch)))
    )
      settled.push({ status: "updated", link });
    else settled.push(result);
  }
  return settled;
}

/**
 * Selects pending items for the next batch, in order, and computes their columns. Refuses items that would have
 * too many aliases.
 */
function planBatch(tenant: Tenant, results: ItemResult[], current: Map<string, Link> | null): PlannedItem[] {
  const planned: PlannedItem[] = [];
  const names = new Set<string>();
  let hosts: string | undefined;
  let bytes = 0;
  for (const [index, result] of results.entries()) {
    if (!isPending(result)) continue;
    let update: LinkUpdate;
    try {
      update = buildUpdate(tenant, result, current?.get(result.id));
    } catch (error) {
      results[index] = refuseOrThrow(error);
      continue;
    }
    const link = needsCurrent(result.patch) ? current?.get(result.id) : undefined;
    const wanted =
      link === undefined ? [] : [...listNames(link), ...listNames({ ...link, ...update.columns })];
    const isFree = !wanted.some((name) => names.has(name));
    for (const name of wanted) names.add(name);
    const hostColumns = HOST_COLUMNS.filter((name) => name in update.columns).join();
    hosts ??= hostColumns;
    const size = encoder.encode(JSON.stringify(update)).byteLength;
    const fits = planned.length === 0 || bytes + size <= BATCH_MAX_BYTES;
    if (!isFree || !fits || hosts !== hostColumns) continue;
    bytes += size;
    planned.push({ ...result, index, update });
  }
  return planned;
}

/** Columns with hosts, which triggers check. All items of a batch set the same ones among them. */
const HOST_COLUMNS: readonly (keyof Link)[] = ["destinationHost", "ruleHosts", "earlyHost", "expiredHost"];

/** Lists names that no two links of a workspace have, in a form in which similar paths are equal. */
function listNames({
  codeKey,
  aliases,
  externalId,
}: Pick<Link, "codeKey" | "aliases" | "externalId">): string[] {
  const paths = [codeKey, ...aliases.map(toCodeKey)].map((key) => `path ${key}`);
  return externalId === null ? paths : [...paths, `id ${externalId}`];
}

function buildUpdate({ settings }: Tenant, { id, patch }: PendingItem, link: Link | undefined): LinkUpdate {
  const { custom_slug, keep_old_code: _, aliases, ...fields } = patch;
  const columns: Partial<Link> = toColumns(settings, fields);
  if (link === undefined || !needsCurrent(patch)) return { id, columns };
  const paths = custom_slug === undefined && aliases === undefined ? {} : changePaths(link, patch);
  return { id, columns: { ...columns, ...paths }, updatedAt: link.updatedAt };
}

/** Returns the new results of written items. Items stay pending if their link has changed since it was read. */
async function explainResults(
  tenant: Tenant,
  planned: readonly PlannedItem[],
  { updated, takenIds, takenExternalIds }: Awaited<ReturnType<typeof updateEach>>,
): Promise<[index: number, ItemResult][]> {
  const byId = new Map(updated.map((link) => [link.id, link]));
  const skipped = planned.flatMap(({ id, update: { columns } }) =>
    byId.has(id) || columns.aliases === undefined
      ? []
      : [{ id, aliases: columns.aliases, formerCodes: columns.formerCodes ?? [] }],
  );
  const conflicts = skipped.length === 0 ? [] : await findAliasConflicts(tenant, skipped);
  return planned.map(({ index, update, ...item }) => {
    const { id, patch } = item;
    const link = byId.get(id);
    const conflict = conflicts.find(({ linkId }) => linkId === id);
    if (link !== undefined) return [index, { status: "updated", link }];
    if (update.updatedAt === undefined) return [index, refuse(createNotFoundError("link"))];
    if (conflict !== undefined) return [index, refuse(createAliasError(conflict))];
    if (takenExternalIds.has(id)) return [index, refuse(createExternalIdError(patch))];
    if (takenIds.has(id)) return [index, refuse(createSlugError(patch.custom_slug ?? ""))];
    return [index, item];
  });
}

/** Refuses the items that caused a statement to fail. Rethrows the error if no item caused it. */
async function explainFailure(
  tenant: Tenant,
  planned: readonly PlannedItem[],
  error: unknown,
): Promise<[index: number, ItemResult][]> {
  if (error instanceof ApiError && error.code === "LINK_BANNED") {
    const banned = await findBanned(tenant, planned);
    const refused = planned.filter(({ id }) => banned.has(id));
    return refused.map(({ index }) => [index, refuse(error)]);
  }
  if (error instanceof ApiError) throw error;
  if (isRaised(error, "alias_variants")) {
    const refused = planned.filter(({ patch }) => patch.aliases != null || patch.custom_slug !== undefined);
    return refused.map(({ index }) => [index, refuse(createVariantsError())]);
  }
  const patches = planned.map(({ patch }) => patch);
  const hosts = await findRefusedDestinations(tenant, patches);
  const refused = planned.flatMap(({ index, patch }): [number, ItemResult][] => {
    const problem = findProblem(() => rejectHosts(tenant, patch, hosts));
    return problem === null ? [] : [[index, refuse(problem)]];
  });
  if (refused.length === 0) throw error;
  return refused;
}

/** Returns the ids of the links that an administrator has banned. */
async function findBanned(
  { db, workspace }: Tenant,
  planned: readonly PlannedItem[],
): Promise<ReadonlySet<string>> {
  const ids = planned.map(({ id }) => id);
  const found = await db
    .select({ id: links.id })
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), inJson(links.id, ids), isNotNull(links.bannedAt)));
  return new Set(found.map(({ id }) => id));
}
