import * as z from "zod";
import { toUuid } from "../analytics/series.ts";
import { isUuid } from "../core/id.ts";
import { getShard, listShards } from "../db/shards.ts";
import type { MovedColumn, MovedTable } from "../moves/moved-tables.ts";
import { type MovingWorkspace, ownedByWorkspace } from "../moves/row-sql.ts";
import { ROLES, type Role } from "../permissions/roles.ts";
import { ArchiveError } from "./archive.ts";
import type { Installation } from "./export-workspace.ts";
import { readLine } from "./row-json.ts";
import { LANE, listColumns, NUMBERED, parseLine, type RowValues } from "./workspace-rows.ts";

/**
 * Checks of the rows that an import writes. An archive can be changed by those who have it, so its rows must not belong
 * to another workspace, use ids of other workspaces, or have values that this version never writes.
 */

/** Columns whose ids name files, Durable Objects or counts beside the database, so that no two workspaces may share one. */
const SHARED_IDS: Record<string, string> = {
  links: "id",
  bio_pages: "id",
  deleted_series: "owner",
  trash: "item_id",
  assets: "id",
  deleted_assets: "asset_id",
  webhooks: "id",
};

/** Tables in which such ids are looked up, because an index finds them. */
const LOOKED_UP = ["links", "bio_pages", "trash", "assets", "deleted_assets", "webhooks"];

/** Throws {@link ArchiveError} if lines of an archive have values that no line of an export can have. */
export function requireValidLines(table: MovedTable, lines: readonly string[], workspaceId: string): void {
  for (const line of lines) {
    const values = parseOrUndefined(line);
    const isValid =
      Array.isArray(values) &&
      values.length === table.columns.length &&
      table.columns.every((column, index) => isValidValue(column, values[index]));
    if (!isValid) throw new ArchiveError(`the archive has invalid values in ${table.name}`);
    const row = parseLine(table, line);
    const owner = table.ownership === "tenant" ? row.id : row.workspace_id;
    if ((owner !== undefined && owner !== workspaceId) || !isNumberedFromZero(table, row)) {
      throw new ArchiveError(`the archive has rows of another workspace in ${table.name}`);
    }
  }
}

/** Maximum integer of SQLite, plus one. */
const INTEGER_END = 2 ** 63;
/** Bytes as `row-json.ts` writes them. */
const HEX = /^(?:[0-9A-F]{2})*$/i;

/** Returns true for null and for values of a column's type. Values that aren't JSON are objects, see `row-json.ts`. */
function isValidValue({ name, isBlob, isInteger, isJson }: MovedColumn, value: unknown): boolean {
  if (value === null) return true;
  if (isInteger) return Number.isInteger(value) && (value as number) >= 0 && (value as number) < INTEGER_END;
  if (typeof value === "object") {
    const digits = (value as { blob?: unknown; text?: unknown })[isBlob ? "blob" : "text"];
    return typeof digits === "string" && HEX.test(digits) && !isJson;
  }
  if (typeof value !== "string" || isBlob) return false;
  if (ROLE_COLUMNS.has(name)) return ROLES.includes(value as Role);
  if (!isJson) return true;
  const parsed = parseOrUndefined(value);
  return isShallow(parsed, DEPTH_MAX) && JSON_SHAPES[name]?.safeParse(parsed).success === true;
}

/** Maximum depth of JSON, far more than code writes. SQLite reads at most 1,000. */
const DEPTH_MAX = 100;

function isShallow(value: unknown, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depthMax > 0 && Object.values(value).every((inner) => isShallow(inner, depthMax - 1));
}

const ROLE_COLUMNS: ReadonlySet<string> = new Set(["role", "own_role"]);

const texts = z.array(z.string());
const objects = z.array(z.looseObject({}));

/** Shapes of columns with JSON. Code that reads a column relies on its shape, also for rows of an archive. */
const JSON_SHAPES: Record<string, z.ZodType> = {
  aliases: texts,
  changes: z.looseObject({}),
  design: z.looseObject({}),
  email_domains: texts,
  events: texts,
  former_codes: texts,
  item: z.looseObject({}),
  labels: texts,
  link_hosts: texts,
  link_ids: texts,
  page_data: z.looseObject({}),
  preview: z.looseObject({}),
  previous_secrets: z.array(z.looseObject({ secret: z.string(), until: z.number() })),
  recipients: z.array(z.number()),
  routing_rules: objects,
  rule_hosts: texts,
  scopes: texts,
  tags: texts,
  turns: objects,
};

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true if numbers that begin with the number of a workspace begin with 0, as in every archive. */
function isNumberedFromZero(table: MovedTable, row: RowValues): boolean {
  const lanes: unknown = table.name === "webhook_events" ? JSON.parse(String(row.recipients)) : [];
  const isLane = (lane: unknown) =>
    Number.isInteger(lane) && (lane as number) >= 0 && (lane as number) < LANE;
  return (
    Object.entries(NUMBERED[table.name] ?? {}).every(([name, step]) => Number(row[name]) < step) &&
    Array.isArray(lanes) &&
    lanes.every(isLane)
  );
}

/**
 * Throws {@link ArchiveError} if lines of a shard's table belong to another workspace, or have its ids. Call it with lines
 * that have the workspace's number, after the tables before this one were written.
 */
export async function requireOwnRows(
  target: Installation,
  d1: D1Database,
  table: MovedTable,
  lines: readonly string[],
  workspace: MovingWorkspace,
): Promise<void> {
  const isForeign = [
    ...(table.ownership === "delivery" || table.ownership === "series"
      ? [`NOT ${ownedByWorkspace(table, workspace, "line")}`]
      : []),
    // A delivery sends the payload of the event with which its id begins.
    ...(table.name === "event_deliveries"
      ? [
          `EXISTS (SELECT 1 FROM webhook_events WHERE is_scan IN (0, 1) AND id = substr(line.id, 1, 32) AND workspace_id <> '${workspace.id}')`,
        ]
      : []),
  ];
  const columns = listColumns(table);
  const rows = `WITH line(${columns.join(", ")}) AS (SELECT ${readLine("value", columns)} FROM json_each(?1))`;
  const found = await Promise.all([
    ...isForeign.map((condition) =>
      d1
        .prepare(`${rows} SELECT 1 AS found FROM line WHERE ${condition} LIMIT 1`)
        .bind(`[${lines.join(",")}]`)
        .first("found"),
    ),
    ...findForeignIds(target, listIds(table, lines), workspace.id),
  ]);
  if (found.some((row) => row !== null)) {
    throw new ArchiveError(`the archive has rows of another workspace in ${table.name}`);
  }
}

function listIds(table: MovedTable, lines: readonly string[]): string[] {
  const column = SHARED_IDS[table.name];
  if (column === undefined) return [];
  return lines.map((line) => {
    const row = parseLine(table, line);
    const value = row[column] as string | { blob?: string } | null;
    const id = typeof value === "string" ? value : toUuid(value?.blob ?? "");
    const { id: inTrash = id } = table.name === "trash" ? JSON.parse(row.item as string) : {};
    if (isUuid(id) && inTrash === id) return id;
    throw new ArchiveError(`the archive has invalid values in ${table.name}`);
  });
}

/** Returns a result for each shard: not null if rows of other workspaces have one of the ids. */
function findForeignIds(target: Installation, ids: readonly string[], workspaceId: string) {
  if (ids.length === 0) return [];
  const isTaken = LOOKED_UP.map(
    (name) => `EXISTS (SELECT 1 FROM ${name} WHERE ${SHARED_IDS[name]} = value AND workspace_id <> ?2)`,
  );
  const select = `SELECT 1 AS found FROM json_each(?1)
    WHERE ${isTaken.join(" OR ")} OR EXISTS (SELECT 1 FROM tenants WHERE id = value AND id <> ?2) LIMIT 1`;
  return listShards(target).map((shard) =>
    getShard(target, shard).prepare(select).bind(JSON.stringify(ids), workspaceId).first("found"),
  );
}
