import { and, eq } from "drizzle-orm";
import { createValidationError } from "../core/error.ts";
import { isRaised } from "../db/constraint.ts";
import { inJson } from "../db/in-json.ts";
import { listProblems } from "../http/validation.ts";
import type { RefusedHosts } from "../safety/blocked-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { createPlanLimitError, isPlanExceeded } from "../tenant/usage.ts";
import { createAliasError, createVariantsError, findAliasConflicts, isCodeConflict } from "./aliases.ts";
import { findProblem, type RefusedItem, refuse, refuseOrThrow, toItemError } from "./bulk-error.ts";
import { findRefusedDestinations, rejectHosts } from "./destinations.ts";
import { hashInTurn } from "./guards.ts";
import { type InsertedLinks, insertFreeLinks } from "./link-writes.ts";
import { type BulkError, createLinkBody, type NewLink } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";
import {
  buildRow,
  CODE_ATTEMPTS_MAX,
  createExternalIdError,
  createSlugError,
  deriveLinkId,
  rejectUnfitInput,
} from "./links.ts";
import { findUnknownTemplates, UNKNOWN_TEMPLATE } from "./template-check.ts";

/** Result of one item. A pending item is valid and will be tried again. */
type ItemResult = { status: "created"; link: Link } | RefusedItem | { status: "pending"; input: NewLink };

/** Result of a bulk creation. Links and errors are in the order of their items. */
export interface BulkResult {
  created: Link[];
  errors: BulkError[];
}

/**
 * Creates up to 100 links with one statement. Invalid items are reported and don't stop the others. Items of
 * the same call can also conflict with each other.
 */
export async function createLinks(tenant: Tenant, items: readonly unknown[]): Promise<BulkResult> {
  const recovered = await recoverLinks(tenant, items);
  let results = items.map((item, index): ItemResult => {
    const link = recovered.get(index);
    return link === undefined ? checkItem(tenant, item) : { status: "created", link };
  });
  results = await hashPending(await refuseUnknownTemplates(tenant, results));
  for (let attempt = 1; results.some(({ status }) => status === "pending"); attempt++) {
    results = await createPending(tenant, results, attempt === CODE_ATTEMPTS_MAX);
  }
  return {
    created: results.flatMap((result) => (result.status === "created" ? [result.link] : [])),
    errors: results.flatMap((result, index) =>
      result.status === "refused" ? [toItemError<BulkError>(index, result.error)] : [],
    ),
  };
}

/** Returns the links that an earlier attempt of the same request created, by item index. */
async function recoverLinks(tenant: Tenant, items: readonly unknown[]): Promise<Map<number, Link>> {
  const { db, workspace, origin } = tenant;
  if (!origin.isRetry) return new Map();
  // An invalid item has created no link, so its id doesn't matter.
  const ids = items.map((item, index) =>
    deriveLinkId(tenant, createLinkBody.safeParse(item).data ?? {}, index),
  );
  const found = await db
    .select()
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), inJson(links.id, ids)));
  return new Map(found.map((link) => [ids.indexOf(link.id), link]));
}

function checkItem(tenant: Tenant, item: unknown): ItemResult {
  try {
    return { status: "pending", input: parseItem(tenant, item) };
  } catch (error) {
    return refuseOrThrow(error);
  }
}

/** Validates an item. Throws `VALIDATION_ERROR`, `FEATURE_NOT_AVAILABLE`. */
function parseItem(tenant: Tenant, item: unknown): NewLink {
  const { success, data, error } = createLinkBody.safeParse(item);
  if (!success) throw createValidationError(...listProblems(error.issues));
  rejectUnfitInput(tenant, data);
  return data;
}

/** Refuses the pending items whose QR template doesn't exist. */
async function refuseUnknownTemplates(
  tenant: Tenant,
  results: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  const inputs = results.flatMap((result) => (result.status === "pending" ? [result.input] : []));
  const unknown = await findUnknownTemplates(tenant, inputs, []);
  return results.map((result) =>
    result.status === "pending" && unknown.has(result.input.qr_template_id ?? "")
      ? refuse(createValidationError(UNKNOWN_TEMPLATE))
      : result,
  );
}

/** Hashes the passwords of the pending items. */
async function hashPending(results: readonly ItemResult[]): Promise<ItemResult[]> {
  const hashed: ItemResult[] = [];
  for (const result of results) {
    const isPending = result.status === "pending";
    hashed.push(isPending ? { status: "pending", input: await hashInTurn(result.input) } : result);
  }
  return hashed;
}

/**
 * Tries to create all pending items, with new generated codes. Items whose generated code is taken stay
 * pending.
 */
async function createPending(
  tenant: Tenant,
  results: readonly ItemResult[],
  isLastAttempt: boolean,
): Promise<ItemResult[]> {
  const rows = results.map((result, index) =>
    result.status === "pending" ? buildRow(tenant, result.input, index) : null,
  );
  let outcome: InsertedLinks;
  try {
    outcome = await insertFreeLinks(
      tenant,
      rows.filter((row) => row !== null),
    );
  } catch (error) {
    return explainFailure(tenant, results, error, isLastAttempt);
  }
  const { insertedIds, takenIds, takenExternalIds, isFull } = outcome;
  const skipped = rows.filter((row) => row !== null && !insertedIds.has(row.id) && row.aliases.length > 0);
  const conflicts = skipped.length === 0 ? [] : await findAliasConflicts(tenant, skipped as Link[]);
  const conflictsById = new Map(conflicts.map((conflict) => [conflict.linkId, conflict]));
  const lastCreated = results.findLastIndex(
    ({ status }, index) => status === "created" || insertedIds.has(rows[index]?.id ?? ""),
  );
  return results.map((result, index): ItemResult => {
    const row = rows[index];
    if (!row) return result;
    if (insertedIds.has(row.id)) return { status: "created", link: row };
    // Reports the same errors as if the links were created one by one: once the plan's limit is reached, its
    // error takes precedence over the error of a taken slug.
    const conflict = conflictsById.get(row.id);
    const isTaken = takenIds.has(row.id);
    const isExternalIdTaken = takenExternalIds.has(row.id);
    const isBeyondCap =
      isFull && (index > lastCreated || !(isTaken || isExternalIdTaken || conflict !== undefined));
    if (isBeyondCap) return refuse(createPlanLimitError(tenant, "links"));
    if (conflict !== undefined) return refuse(createAliasError(conflict));
    if (isExternalIdTaken) return refuse(createExternalIdError({ external_id: row.externalId }));
    return (row.isCustom && isTaken) || isLastAttempt ? refuse(createSlugError(row.shortCode)) : result;
  });
}

/**
 * Rejects the pending items that caused a statement to fail. Rethrows the error if no item caused it and no
 * attempt is left.
 */
async function explainFailure(
  tenant: Tenant,
  results: readonly ItemResult[],
  error: unknown,
  isLastAttempt: boolean,
): Promise<ItemResult[]> {
  if (isPlanExceeded(error)) {
    const refused = refuse(createPlanLimitError(tenant, "links"));
    return results.map((result) => (result.status === "pending" ? refused : result));
  }
  const inputs = results.flatMap((result) => (result.status === "pending" ? [result.input] : []));
  const refusedHosts = await findRefusedDestinations(tenant, inputs);
  const checked = results.map((result) =>
    result.status === "pending" ? checkHosts(tenant, result, refusedHosts) : result,
  );
  if (isRaised(error, "alias_variants")) {
    const refused = refuse(createVariantsError());
    return results.map((result) =>
      result.status === "pending" && result.input.aliases != null ? refused : result,
    );
  }
  const hasRefused = checked.some((result, index) => result !== results[index]);
  if (!hasRefused && (!isCodeConflict(error) || isLastAttempt)) throw error;
  return checked;
}

function checkHosts(
  tenant: Tenant,
  item: Extract<ItemResult, { status: "pending" }>,
  refusedHosts: RefusedHosts,
): ItemResult {
  const problem = findProblem(() => rejectHosts(tenant, item.input, refusedHosts));
  return problem === null ? item : refuse(problem);
}
