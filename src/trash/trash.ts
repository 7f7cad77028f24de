import { and, desc, eq, getTableColumns, getTableName, lt, not, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { logChange } from "../audit/shard-log.ts";
import { createBannedError, createNotFoundError, type ResourceName } from "../core/error.ts";
import { formatUuidTime } from "../core/id.ts";
import { isNotNullViolation, isUniqueViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import { withinPageBytes } from "../db/page-bytes.ts";
import { selectColumns } from "../db/select-columns.ts";
import { deriveId } from "../tenant/request-origin.ts";
import { tenants } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { type TrashKind, trash } from "./trash.table.ts";
import { ITEMS_MAX, KEPT_MS } from "./trash-limits.ts";

/** Maximum number of steps of one sweep. The next sweep erases the rest. */
const STEPS_MAX = 20;
/** Maximum number of columns in one call of `json_set`. SQL functions of D1 have at most 32 arguments. */
const PAIRS_MAX = 15;

/** Changes in the log entry of an item that was erased from the trash. */
const ERASURE = sql`'{"permanent":[false,true]}'`;

/** Table whose rows can be moved to the trash. */
type TrashableTable = SQLiteTable & { id: SQLiteColumn };

/** Columns with the number of items of a kind, which triggers maintain. */
const COUNTS = {
  link: tenants.trashedLinks,
  bio_page: tenants.trashedPages,
  qr_template: tenants.trashedTemplates,
} as const satisfies Record<TrashKind, SQLiteColumn>;

const KEY = [trash.workspaceId, trash.kind, trash.deletionId];

/** Condition for links that an administrator has banned. They stay in the trash until the ban is lifted. */
const IS_BANNED = sql`${trash.item} ->> 'banned_at' is not null`;

/** Names of the kinds in error messages. */
const NOUNS: Record<TrashKind, ResourceName> = {
  link: "link",
  bio_page: "bio page",
  qr_template: "template",
};

/** Item in the trash. */
export interface Trashed<Row> {
  kind: TrashKind;
  deletionId: string;
  row: Row;
}

/** Page of the items in the trash. */
export interface TrashPage<Row> {
  items: Trashed<Row>[];
  total: number;
  nextBefore: string | null;
  /** Returns the `before` of the page after an item. */
  cursorAt: (index: number) => string | null;
}

/**
 * Returns the statements that move a row to the trash, except for deleting it from its table. Put them before
 * the deletion, in the same batch. If the trash is full, the oldest items are erased. If the deletion is
 * permanent, they change nothing.
 */
export function moveToTrash(
  tenant: Tenant,
  kind: TrashKind,
  table: TrashableTable,
  condition: SQL | undefined,
  isPermanent: boolean,
) {
  const { db, workspace } = tenant;
  const values = {
    deletionId: deriveId(tenant),
    workspaceId: workspace.id,
    kind,
    itemId: table.id,
    item: buildItem(table),
  };
  const full = sql`select ${trash.deletionId} from ${trash} where ${and(inTrash(tenant, kind), not(IS_BANNED))}
                    order by ${trash.deletionId}
                    limit max(0, (${selectCount(tenant, kind)}) - ${sql.raw(String(ITEMS_MAX))})`;
  return [
    db
      .insert(trash)
      .select(
        selectColumns(
          trash,
          values,
          sql`from ${table} where ${and(condition, sql.raw(String(!isPermanent)))}`,
        ),
      )
      // A repeated request can have created the item again while it was in the trash.
      .onConflictDoUpdate({
        target: [trash.itemId, trash.kind],
        set: { deletionId: sql`excluded.deletion_id`, item: sql`excluded.item` },
      }),
    db.delete(trash).where(and(inTrash(tenant, kind), sql`${trash.deletionId} in (${full})`)),
  ] as const;
}

/** Returns the SQL expression for a row as JSON. */
function buildItem(table: SQLiteTable): SQL {
  const columns = Object.values(getTableColumns(table));
  let item = sql`'{}'`;
  for (let from = 0; from < columns.length; from += PAIRS_MAX) {
    const pairs = columns
      .slice(from, from + PAIRS_MAX)
      .map((column) => sql`${sql.raw(`'$.${column.name}'`)}, ${column}`);
    item = sql`json_set(${item}, ${sql.join(pairs, sql`, `)})`;
  }
  return item;
}

function selectCount({ workspace }: Tenant, kind: TrashKind): SQL {
  return sql`select ${COUNTS[kind]} from ${tenants} where ${tenants.id} = ${workspace.id}`;
}

function inTrash({ workspace }: Tenant, kind: TrashKind): SQL | undefined {
  return and(eq(trash.workspaceId, workspace.id), eq(trash.kind, kind));
}

/** Returns the condition for an item in the trash. */
function trashedItem(tenant: Tenant, kind: TrashKind, itemId: string): SQL | undefined {
  return and(inTrash(tenant, kind), eq(trash.itemId, itemId));
}

/** Lists the workspace's deleted items of a kind, last deleted first, and counts them all. */
export async function listTrash<Table extends TrashableTable>(
  tenant: Tenant,
  kind: TrashKind,
  table: Table,
  { limit, offset, before }: ListPage,
): Promise<TrashPage<Table["$inferSelect"]>> {
  const { db, workspace } = tenant;
  const listed = and(inTrash(tenant, kind), olderThan(trash.deletionId, before));
  const sizes = sql`select ${trash.deletionId} as id, octet_length(${trash.item}) as bytes from ${trash}
                     where ${listed} order by ${trash.deletionId} desc limit ${limit + 1} offset ${offset}`;
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(trash)
      .where(and(listed, withinPageBytes(sql`${trash.deletionId}`, sizes)))
      .orderBy(desc(trash.deletionId))
      .limit(limit + 1)
      .offset(offset),
    db.select({ total: COUNTS[kind] }).from(tenants).where(eq(tenants.id, workspace.id)),
  ]);
  const items = rows.slice(0, limit).map((found) => readTrashed(table, found));
  const cursorAt = (index: number) => items[index]?.deletionId ?? null;
  return {
    items,
    total: counted?.total ?? 0,
    nextBefore: rows.length > limit ? cursorAt(limit - 1) : null,
    cursorAt,
  };
}

/**
 * Restores an item: reads it from the trash, and calls `insert`, which inserts it and removes it from the
 * trash in one batch. The batch must use {@link restoredFrom}. If another request restores the item first, or
 * it isn't deleted, returns it as it is. `find` throws `RESOURCE_NOT_FOUND`.
 */
export async function restoreItem<Table extends TrashableTable>(
  tenant: Tenant,
  kind: TrashKind,
  table: Table,
  itemId: string,
  insert: (trashed: Trashed<Table["$inferSelect"]>) => Promise<Table["$inferSelect"]>,
  find: (tenant: Tenant, itemId: string) => Promise<Table["$inferSelect"]>,
): Promise<Table["$inferSelect"]> {
  const [found] = await tenant.db
    .select()
    .from(trash)
    .where(trashedItem(tenant, kind, itemId));
  if (found !== undefined) {
    try {
      return await insert(readTrashed(table, found));
    } catch (error) {
      const name = getTableName(table);
      const isGone =
        isNotNullViolation(error, `${name}.workspace_id`) || isUniqueViolation(error, `${name}.id`);
      if (!isGone) throw error;
    }
  }
  return find(tenant, itemId);
}

/**
 * Returns the column values of a restored row that come from the trash. If the item is no longer in the
 * trash, they are null, so that the row can't be inserted. `changing` names columns that scans or an
 * administrator change while the item is in the trash.
 */
export function restoredFrom<Column extends string>(
  tenant: Tenant,
  trashed: Trashed<unknown>,
  changing: Readonly<Record<Column, SQLiteColumn>>,
): Record<Column | "workspaceId", SQL> {
  const read = (value: SQL) => sql`(select ${value} from ${trash} where ${byDeletion(tenant, trashed)})`;
  const values = Object.entries<SQLiteColumn>(changing).map(([name, column]) => [
    name,
    read(sql`${trash.item} ->> ${sql.raw(`'${column.name}'`)}`),
  ]);
  return { ...Object.fromEntries(values), workspaceId: read(sql`${trash.workspaceId}`) };
}

/** Returns the statement that removes an item from the trash. */
export function removeFromTrash(tenant: Tenant, trashed: Trashed<unknown>) {
  return tenant.db.delete(trash).where(byDeletion(tenant, trashed));
}

function byDeletion(tenant: Tenant, { kind, deletionId }: Trashed<unknown>): SQL | undefined {
  return and(inTrash(tenant, kind), eq(trash.deletionId, deletionId));
}

/** Reads an item as a row of its table. Columns that are newer than the item get their default. */
function readTrashed<Table extends SQLiteTable>(
  table: Table,
  { kind, deletionId, item }: typeof trash.$inferSelect,
): Trashed<Table["$inferSelect"]> {
  const values = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = item[column.name];
    if (value === undefined) return [name, column.default ?? null];
    return [name, value === null ? null : column.mapFromDriverValue(value)];
  });
  return { kind, deletionId, row: Object.fromEntries(values) };
}

/**
 * Erases an item in the trash, with its log entry. Throws `RESOURCE_NOT_FOUND`, and `LINK_BANNED` for a banned
 * link. The events of its deletion were sent before.
 */
export async function eraseItem(tenant: Tenant, kind: TrashKind, itemId: string): Promise<void> {
  const item = trashedItem(tenant, kind, itemId);
  const selected = and(item, not(IS_BANNED));
  const rows = sql`select ${trash.itemId} as resource_id, ${ERASURE} as changes, 0 as bytes from ${trash} where ${selected}`;
  const [, erased, kept] = await tenant.db.batch([
    logChange(tenant, { resourceType: kind, rows, isAlwaysAllowed: true }),
    tenant.db.delete(trash).where(selected).returning({ id: trash.itemId }),
    tenant.db.select({ id: trash.itemId }).from(trash).where(item),
  ]);
  if (kept.length > 0) throw createBannedError();
  if (erased.length === 0) throw createNotFoundError(NOUNS[kind]);
}

/** Erases items whose time in the trash is over. Called by the cron. */
export async function sweepTrash(db: Database, nowMs: number): Promise<void> {
  const expired = lt(trash.deletionId, formatUuidTime(nowMs - KEPT_MS));
  const erasable = and(expired, not(IS_BANNED), not(isLockedByMove(trash.workspaceId)));
  for (let step = 0; step < STEPS_MAX; step++) {
    if ((await deleteSome(db, trash, KEY, erasable)) === 0) return;
  }
}

/** Deletes some items of a deleted workspace and returns their number. */
export function eraseTrash(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(db, trash, KEY, eq(trash.workspaceId, workspaceId));
}
