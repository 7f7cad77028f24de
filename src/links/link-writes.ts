import { and, count, eq, getTableColumns, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { logChange } from "../audit/shard-log.ts";
import { createBannedError } from "../core/error.ts";
import { isRaised } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { inJson } from "../db/in-json.ts";
import { rawQuery } from "../db/raw-query.ts";
import { selectColumns } from "../db/select-columns.ts";
import { closeGate, type ScanGates } from "../guards/limited-visit.ts";
import { type LinkChanges, writeThrough } from "../resolving/write-through.ts";
import { toCodeKey } from "../routing/short-code.ts";
import { readBlocked, selectBlocked } from "../safety/blocked-hosts.ts";
import { selectOwnDomains } from "../tenant/host-copies.ts";
import { tenants } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import {
  createPlanLimitError,
  getPlanCap,
  isPlanExceeded,
  releaseUsage,
  selectRemainingUsage,
  takeUsage,
} from "../tenant/usage.ts";
import { moveToTrash, removeFromTrash, restoredFrom, type Trashed } from "../trash/trash.ts";
import { commit } from "../webhooks/outbox.ts";
import { hasSameName, overlaps } from "./aliases.ts";
import { describeLinkChange } from "./link-audit.ts";
import { buildLinkEvents, joinItems, type LinkChange } from "./link-events.ts";
import { type Link, links, POSITION_BITS } from "./links.table.ts";

/**
 * Writes of links that redirects or webhook receivers must see. Each function commits a change with its
 * events and log entries, then writes the new state through to this data centre's caches. No other file
 * inserts, updates or deletes links, except for updates of scan counts.
 */

/**
 * Maximum number of scan gates (one Durable Object per link with a scan limit) closed per step. Workers limit
 * the subrequests of an invocation, and an erasure runs many steps.
 */
const GATES_PER_STEP = 5;

/** Returns the condition for one link of a workspace. */
export function linkById(workspaceId: string, linkId: string): SQL | undefined {
  return and(eq(links.workspaceId, workspaceId), eq(links.id, linkId));
}

/** Inserts a link and counts it against the plan. Throws the errors of the batch. */
export async function insertLink(tenant: Tenant, row: Link): Promise<Link> {
  const [, [link]] = await commitLinks(
    tenant,
    { type: "link.created", ids: [row.id] },
    [
      takeUsage(tenant, "links"),
      tenant.db
        .insert(links)
        .values({ ...row, position: nextPosition(tenant) })
        .returning(writtenColumns),
    ],
    ([, inserted]) => describeCreation(inserted),
  );
  return dropVariants(link as WrittenLink);
}

/** Written link, and whether other links have aliases that differ from its code only in case. */
type WrittenLink = Link & { hasVariants: number };

// Names the tables, because Drizzle leaves them out in RETURNING.
const hasVariants = sql<number>`exists (select 1 from link_aliases
  where link_aliases.workspace_id = links.workspace_id and link_aliases.code_key = links.code_key)`;
const writtenColumns = { ...getTableColumns(links), hasVariants };

function dropVariants({ hasVariants: _, ...link }: WrittenLink): Link {
  return link;
}

/** Lists the keys of links whose cache entries may contain several links. */
function listSharedKeys(
  written: readonly (Pick<Link, "codeKey" | "aliases"> & { hasVariants: number })[],
): string[] {
  return written.flatMap(({ codeKey, aliases, hasVariants }) =>
    aliases.length > 0 || hasVariants === 1 ? [codeKey, ...aliases.map(toCodeKey)] : [],
  );
}

/**
 * Describes new links for redirects. For a custom slug that was requested before, the data centre's cache may
 * contain "doesn't exist" for some seconds, so these links must be written through. Generated codes have no
 * such entry.
 */
function describeCreation(created: readonly WrittenLink[]): Partial<LinkChanges> {
  return {
    sharedKeys: listSharedKeys(created),
    changed: created.filter(({ isCustom }) => isCustom),
    generated: created.filter(({ isCustom }) => !isCustom),
  };
}

/**
 * Returns the expression for the position of the workspace's next link: the last position plus one, so that
 * there are no gaps.
 */
function nextPosition({ workspace }: Tenant): SQL<number> {
  const bits = sql.raw(String(POSITION_BITS));
  const last = sql`select max(${links.position}) from ${links}
                    where ${links.position} < (${tenants.number} + 1) << ${bits}`;
  // Positions of workspaces with smaller numbers are below this workspace's first position.
  const next = sql`max(${tenants.number} << ${bits}, coalesce((${last}), 0)) + 1`;
  return sql`(select ${next} from ${tenants} where ${tenants.id} = ${workspace.id})`;
}

/** Links that couldn't get their names. */
export interface TakenNames {
  /** Ids of the links whose short code another link has after the statement. */
  takenIds: Set<string>;
  /** Ids of the links whose external id another link has after the statement. */
  takenExternalIds: Set<string>;
}

/** Result of {@link insertFreeLinks}. */
export interface InsertedLinks extends TakenNames {
  /** Ids of the inserted rows. */
  insertedIds: Set<string>;
  /** True if the plan's limit is reached. */
  isFull: boolean;
}

/**
 * Inserts rows in order, skipping taken codes and aliases, until the plan's limit is reached, and counts
 * them. Runs as one batch. Of several rows with the same path, only the first is inserted.
 */
export async function insertFreeLinks(tenant: Tenant, rows: readonly Link[]): Promise<InsertedLinks> {
  const { db } = tenant;
  const ids = rows.map((row) => row.id);
  const names = rows.map(({ id, shortCode, externalId }): LinkNames => [id, shortCode, externalId]);
  const insertedCount = sql`(select count(*) from ${links} where ${inJson(links.id, ids)})`;
  const [written, [counted], taken] = await commitLinks(
    tenant,
    { type: "link.created", ids },
    [
      // Returns only ids, because the other columns equal the given rows.
      db.insert(links).select(selectFreeRows(tenant, rows)).returning({ id: links.id, hasVariants }),
      takeUsage(tenant, "links", insertedCount).returning(),
      selectTaken(tenant, names),
    ],
    ([written]) => {
      const byId = new Map(rows.map((row) => [row.id, row]));
      return describeCreation(
        written.map(({ id, hasVariants }) => ({ ...(byId.get(id) as Link), hasVariants })),
      );
    },
  );
  return {
    insertedIds: collectIds(written),
    ...collectTaken(taken),
    isFull: counted !== undefined && counted.used >= getPlanCap(tenant, "links"),
  };
}

function collectIds(written: readonly { id: string }[]): Set<string> {
  return new Set(written.map(({ id }) => id));
}

/** Name of a link that {@link selectTaken} checks. A name that doesn't change is null. */
type LinkNames = [id: string, shortCode: string | null, externalId: string | null];

/** Returns the statement that finds out which names other links have. */
function selectTaken(tenant: Tenant, names: readonly LinkNames[]) {
  return rawQuery<{ id: string; isCode: number; isExternalId: number }>(
    tenant.db,
    sql`select item.value ->> 0 as id, ${isCodeTaken(tenant, sql`item.value ->> 1`, sql`item.value ->> 0`)} as isCode,
               ${isExternalIdTaken(tenant, sql`item.value ->> 2`, sql`item.value ->> 0`)} as isExternalId
          from json_each(${JSON.stringify(names)}) as item`,
  );
}

function collectTaken(taken: readonly { id: string; isCode: number; isExternalId: number }[]): TakenNames {
  return {
    takenIds: collectIds(taken.filter(({ isCode }) => isCode === 1)),
    takenExternalIds: collectIds(taken.filter(({ isExternalId }) => isExternalId === 1)),
  };
}

/** Returns the condition that another link has a short code, or an alias in one of its forms. */
function isCodeTaken({ workspace }: Tenant, code: SQL, linkId: SQL): SQL {
  return sql`exists (select 1 from link_addresses as other
    where other.workspace_id = ${workspace.id} and other.code_key = lower(${code})
      and other.link_id <> ${linkId} and ${overlaps(code, sql`true`)})`;
}

/** Returns the condition that other links have one of a link's aliases. */
function isAliasTaken({ workspace }: Tenant, aliases: SQL, formerCodes: SQL, linkId: SQL): SQL {
  const isFormerCode = sql`alias.value in (select value from json_each(${formerCodes}))`;
  return sql`exists (select 1 from json_each(${aliases}) as alias
    where exists (select 1 from link_addresses as other
                   where other.workspace_id = ${workspace.id} and other.code_key = lower(alias.value)
                     and other.link_id <> ${linkId} and ${overlaps(sql`alias.value`, isFormerCode)}))`;
}

/** Returns the condition that another link has an external id. */
function isExternalIdTaken({ workspace }: Tenant, externalId: SQL, linkId: SQL): SQL {
  return sql`exists (select 1 from links as other where other.workspace_id = ${workspace.id}
    and other.external_id = ${externalId} and other.external_id is not null and other.id <> ${linkId})`;
}

/** Returns the condition that no other link has the names of a link. Names that don't change are null. */
function areNamesFree(
  tenant: Tenant,
  {
    id,
    shortCode,
    aliases,
    formerCodes,
    externalId,
  }: Record<"id" | "shortCode" | "aliases" | "formerCodes" | "externalId", SQL>,
): SQL {
  return sql`not ${isCodeTaken(tenant, shortCode, id)} and not ${isAliasTaken(tenant, aliases, formerCodes, id)}
         and not ${isExternalIdTaken(tenant, externalId, id)}`;
}

/** Returns the statement that selects the rows whose paths are free, up to the plan's limit. */
function selectFreeRows(tenant: Tenant, rows: readonly Link[]): SQL {
  const firstRows = rows.filter(
    (row, index) => !rows.slice(0, index).some((other) => hasSameName(row, other)),
  );
  const columns = Object.entries(getTableColumns(links));
  // Rows are arrays, because SQLite finds an array element faster than an object member.
  const items = firstRows.map((row) => columns.map(([name]) => row[name as keyof Link]));
  const values = Object.fromEntries(
    columns.map(([name, { dataType }], place) => [
      name,
      // `->` returns a JSON null as text, `->>` as SQL null.
      sql.raw(dataType === "json" ? `nullif(item.value -> ${place}, 'null')` : `item.value ->> ${place}`),
    ]),
  ) as Record<keyof Link, SQL>;
  const position = sql`${nextPosition(tenant)} + item.key`;
  return selectColumns(
    links,
    { ...values, position },
    sql`from json_each(${JSON.stringify(items)}) as item
       where ${areNamesFree(tenant, values)}
       order by item.key limit ${selectRemainingUsage(tenant, "links")}`,
  );
}

/** Conditions for the links to update and to count. */
interface LinkSelection {
  /** Links to update. */
  changed: SQL | undefined;
  /** Links to count before the update. Defaults to `changed`. */
  counted?: SQL | undefined;
}

/** Updates links. Returns their new state, and the number of links that `counted` matched. */
export async function updateLinks(
  tenant: Tenant,
  { changed, counted = changed }: LinkSelection,
  columns: Partial<Link>,
): Promise<{ updated: Link[]; count: number }> {
  const { db } = tenant;
  const hadAliases = columns.codeKey === undefined ? ne(links.aliases, []) : undefined;
  const [[total], , , , updated] = await commitLinks(
    tenant,
    { type: "link.updated", condition: changed, columns },
    [
      db.select({ count: count() }).from(links).where(counted),
      selectOwnHosts(tenant, changed),
      selectBlockedHosts(tenant, changed),
      db
        .select({
          codeKey: links.codeKey,
          aliases: links.aliases,
          hasVariants: sql<number>`1`.as("has_variants"),
        })
        .from(links)
        .where(and(changed, hadAliases)),
      db
        .update(links)
        .set({ ...columns, updatedAt: nextUpdatedAt(tenant) })
        .where(changed)
        .returning(writtenColumns),
    ],
    ([, own, blocked, former, written]) => describeUpdate({ own, blocked, former, written }),
  );
  return { updated: updated.map(dropVariants), count: total?.count ?? 0 };
}

/**
 * Returns the expression for the new `updated_at`. It always increases, so that comparing `updated_at` shows
 * which of two states of a link is newer.
 */
function nextUpdatedAt({ nowMs }: Tenant): SQL<number> {
  return sql`max(${nowMs}, ${links.updatedAt} + 1)`;
}

/** Results of the statements of an update. */
interface UpdateResults {
  own: readonly { hostname: string }[];
  blocked: Parameters<typeof readBlocked>[0];
  former: Parameters<typeof listSharedKeys>[0];
  written: readonly WrittenLink[];
}

/** Describes an update for redirects: hosts of former destinations, former paths, and the new state. */
function describeUpdate({ own, blocked, former, written }: UpdateResults): Partial<LinkChanges> {
  return {
    changed: written,
    ownHosts: own.map(({ hostname }) => hostname),
    blockedNames: readBlocked(blocked),
    sharedKeys: [...new Set([...listSharedKeys(former), ...listSharedKeys(written)])],
  };
}

/** New columns of one link. */
export interface LinkUpdate {
  id: string;
  columns: Partial<Link>;
  /** Time of the state from which the columns were computed, if they depend on it. */
  updatedAt?: number;
}

/**
 * Updates links, each with columns of its own, in one batch. Skips unknown links, links that have changed since
 * `updatedAt`, and links whose new names other links have. The names of the given links must not overlap.
 * Triggers check the hosts of all updated links if one of them gets a new host, so all must set the same hosts.
 */
export async function updateEach(
  tenant: Tenant,
  updates: readonly LinkUpdate[],
): Promise<{ updated: Link[] } & TakenNames> {
  const { db, workspace } = tenant;
  const items = sql`json_each(${JSON.stringify(updates)}) as item`;
  const columns = readItems(updates);
  const id = sql`item.value ->> 'id'`;
  const isRenaming = updates.some(({ updatedAt }) => updatedAt !== undefined);
  const condition = and(
    eq(links.workspaceId, workspace.id),
    eq(links.id, id),
    isRenaming
      ? sql`coalesce(item.value ->> 'updatedAt', ${links.updatedAt}) = ${links.updatedAt}
            and ${areNamesFree(tenant, {
              id,
              shortCode: sql`item.value ->> '$.columns.shortCode'`,
              aliases: sql`item.value -> '$.columns.aliases'`,
              formerCodes: sql`item.value -> '$.columns.formerCodes'`,
              externalId: sql`item.value ->> '$.columns.externalId'`,
            })}`
      : undefined,
  );
  const names = updates.flatMap(({ id, columns: { shortCode, externalId }, updatedAt }): LinkNames[] =>
    updatedAt === undefined ? [] : [[id, shortCode ?? null, externalId ?? null]],
  );
  const from = joinItems(items);
  const hadAliases = columns.codeKey === undefined ? ne(links.aliases, []) : undefined;
  const [, , , updated, taken] = await commitLinks(
    tenant,
    { type: "link.updated", condition, columns, items },
    [
      selectOwnHosts(tenant, condition, from),
      selectBlockedHosts(tenant, condition, from),
      db
        .select({
          codeKey: links.codeKey,
          aliases: links.aliases,
          hasVariants: sql<number>`1`.as("has_variants"),
        })
        .from(links)
        .where(and(sql`${links.id} in (select ${links.id} from ${from} where ${condition})`, hadAliases)),
      db
        .update(links)
        .set({ ...columns, updatedAt: nextUpdatedAt(tenant) })
        .from(items)
        .where(condition)
        .returning(writtenColumns),
      selectTaken(tenant, names),
    ],
    ([own, blocked, former, written]) => describeUpdate({ own, blocked, former, written }),
  );
  return { updated: updated.map(dropVariants), ...collectTaken(taken) };
}

/** Returns an expression for each column that an item sets. Its value is unchanged for the other items. */
function readItems(updates: readonly LinkUpdate[]): Partial<Record<keyof Link, SQL>> {
  const all = getTableColumns(links);
  const names = new Set(updates.flatMap(({ columns }) => Object.keys(columns) as (keyof Link)[]));
  return Object.fromEntries(
    [...names].map((name) => {
      const path = sql.raw(`'$.columns.${name}'`);
      // `->` returns a JSON null as text, `->>` as SQL null.
      const isJson = all[name].dataType === "json";
      const value = isJson ? sql`nullif(item.value -> ${path}, 'null')` : sql`item.value ->> ${path}`;
      return [name, sql`iif(json_type(item.value, ${path}) is null, ${all[name]}, ${value})`];
    }),
  );
}

/**
 * Moves a link to the trash, or erases it, and releases its QR code from the plan's usage. Returns the deleted
 * link, or undefined if it doesn't exist.
 */
export async function removeLink(
  tenant: Tenant,
  linkId: string,
  isPermanent: boolean,
): Promise<Link | undefined> {
  const byId = linkById(tenant.workspace.id, linkId);
  const renderedCount = sql`(select count(${links.qrRenderedAt}) from ${links} where ${byId})`;
  const [, , , [deleted]] = await commitLinks(
    tenant,
    { type: "link.deleted", condition: byId, isPermanent },
    [
      releaseUsage(tenant, "dynamic_qr", renderedCount),
      ...moveToTrash(tenant, "link", links, byId, isPermanent),
      tenant.db.delete(links).where(byId).returning(writtenColumns),
    ],
    ([, , , rows]) => ({
      freedCodeKeys: rows.map(({ codeKey }) => codeKey),
      sharedKeys: listSharedKeys(rows),
    }),
  );
  return deleted && dropVariants(deleted);
}

/**
 * Inserts a link from the trash and counts its QR code against the plan again. Throws the errors of the
 * batch.
 */
export async function insertRestored(
  tenant: Tenant,
  trashed: Trashed<Link>,
  changes: Partial<Link>,
): Promise<Link> {
  const row = { ...trashed.row, ...changes };
  const { scanCount, lastScanAt, bannedAt } = links;
  const current = restoredFrom(tenant, trashed, { scanCount, lastScanAt, bannedAt });
  // Newer than all former states, so that caches don't keep one of them.
  const updatedAt = Math.max(tenant.nowMs, row.updatedAt + 1);
  const [[restored]] = await commitLinks(
    tenant,
    { type: "link.restored", ids: [row.id] },
    [
      tenant.db
        .insert(links)
        .values({ ...row, ...current, position: nextPosition(tenant), updatedAt })
        .returning(writtenColumns),
      removeFromTrash(tenant, trashed),
      ...(row.qrRenderedAt === null ? [] : [takeUsage(tenant, "dynamic_qr")]),
    ],
    // Caches may contain that the short code doesn't exist, even if it is generated.
    ([rows]) => ({ changed: rows, sharedKeys: listSharedKeys(rows) }),
  );
  return dropVariants(restored as WrittenLink);
}

/**
 * Counts a link against the plan's `dynamic_qr` when its QR code is first rendered. Writes the count and the
 * mark in one batch, so that parallel renderings count only once. Throws `PLAN_LIMIT_EXCEEDED`.
 */
export async function countFirstQrRender(tenant: Tenant, link: Link): Promise<void> {
  if (link.qrRenderedAt !== null) return;
  const { db, workspace, nowMs } = tenant;
  const unrendered = and(linkById(workspace.id, link.id), isNull(links.qrRenderedAt));
  try {
    await db.batch([
      takeUsage(tenant, "dynamic_qr", sql`(select count(*) from ${links} where ${unrendered})`),
      db.update(links).set({ qrRenderedAt: nowMs }).where(unrendered),
    ]);
  } catch (error) {
    throw isPlanExceeded(error) ? createPlanLimitError(tenant, "dynamic_qr") : error;
  }
}

/**
 * Commits a change with its events and log entries in one transaction, then writes it through to this data
 * centre's caches.
 */
async function commitLinks<First extends BatchItem<"sqlite">, Rest extends BatchItem<"sqlite">[]>(
  tenant: Tenant,
  change: LinkChange,
  statements: readonly [First, ...Rest],
  collectChanges: (results: BatchResponse<[First, ...Rest]>) => Partial<LinkChanges>,
): Promise<BatchResponse<[First, ...Rest]>> {
  const logging = logChange(tenant, describeLinkChange(tenant, change));
  // Updates and deletions are logged before the change, to log the previous values. Creations and restorations
  // are logged after the change.
  const isReadAfter = change.type === "link.created" || change.type === "link.restored";
  const batch = isReadAfter ? [...statements, logging] : [logging, ...statements];
  const events = buildLinkEvents(tenant, change);
  const committed: unknown[] = await commit(tenant, batch as unknown as [First, ...Rest], events).catch(
    (error) => {
      throw isRaised(error, "link_banned") ? createBannedError() : error;
    },
  );
  const from = isReadAfter ? 0 : 1;
  const results = committed.slice(from, from + statements.length) as BatchResponse<[First, ...Rest]>;
  const none: LinkChanges = {
    changed: [],
    generated: [],
    ownHosts: [],
    blockedNames: new Set(),
    freedCodeKeys: [],
    sharedKeys: [],
  };
  await writeThrough(tenant, { ...none, ...collectChanges(results) });
  return results;
}

/**
 * Returns the statement that selects the hosts of the links' destinations that workspaces added as domains
 * after the links were written. Must run before the change. Triggers check the hosts that the change adds.
 */
export function selectOwnHosts({ db }: Tenant, condition: SQL | undefined, from?: SQL) {
  return selectOwnDomains(db, selectHosts(condition, from));
}

/**
 * Returns the statement that selects the names by which an administrator blocked the links' destinations after the
 * links were written. Must run before the change. Triggers check the hosts that the change adds.
 */
export function selectBlockedHosts({ db }: Tenant, condition: SQL | undefined, from?: SQL) {
  return selectBlocked(db, selectHosts(condition, from));
}

/** Returns the subquery for the hosts of links' destinations. */
function selectHosts(condition: SQL | undefined, from: SQL = sql`${links}`): SQL {
  const { destinationHost, earlyHost, expiredHost, ruleHosts } = links;
  const hosts = sql`json_insert(${ruleHosts}, '$[#]', ${destinationHost}, '$[#]', ${earlyHost}, '$[#]', ${expiredHost})`;
  return sql`select host.value as name from ${from}, json_each(${hosts}) as host where ${condition}`;
}

/**
 * Deletes some links of a deleted workspace and returns their number. Sends no events and updates no caches,
 * because the workspace has no endpoints and hosts left. Triggers delete the labels.
 */
export async function eraseLinks(db: Database, gates: ScanGates, workspaceId: string): Promise<number> {
  // Triggers keep banned links.
  const banned = sql`${links.workspaceId} = ${workspaceId} and ${links.bannedAt} is not null`;
  await db.update(links).set({ bannedAt: null }).where(banned);
  const limited = await db
    .select({ id: links.id, updatedAt: links.updatedAt })
    .from(links)
    .where(and(eq(links.workspaceId, workspaceId), isNotNull(links.maxScans)))
    .limit(GATES_PER_STEP);
  if (limited.length === 0) return deleteSome(db, links, [links.id], eq(links.workspaceId, workspaceId));
  const ids = limited.map(({ id }) => id);
  await Promise.all(limited.map((link) => closeGate(gates, link)));
  const selected = and(eq(links.workspaceId, workspaceId), inJson(links.id, ids));
  await db.delete(links).where(selected);
  return limited.length;
}
