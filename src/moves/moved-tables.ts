import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import {
  deletedSeries,
  scanDays,
  scanFacts,
  scanHistory,
  scanHistoryCounts,
  scanMonths,
  scanParts,
} from "../analytics/analytics.table.ts";
import { assets, deletedAssets } from "../assets/assets.table.ts";
import { auditLog } from "../audit/audit.table.ts";
import { bioPages } from "../bio/bio.table.ts";
import { idempotencyKeys } from "../http/idempotency.table.ts";
import { links } from "../links/links.table.ts";
import { qrTemplates } from "../qr/templates.table.ts";
import { tenants, usageCounters } from "../tenant/tenant.table.ts";
import {
  deliveryAttempts,
  deliveryBacklogs,
  eventDeliveries,
  webhookEvents,
  webhookLanes,
  webhooks,
} from "../webhooks/webhooks.table.ts";

/**
 * How the rows of a table belong to a workspace:
 * - `tenant`: the row of the workspace itself.
 * - `workspace`: by the column `workspace_id`, which an index begins with.
 * - `unindexed`: by the column `workspace_id`, without such an index.
 * - `lane`: by the lane, the first column of the key.
 * - `delivery`: by the delivery, the first column of the key.
 * - `series`: by the owner of a series, which is the workspace or one of its bio pages, also a deleted one. A month or a
 *   day may precede it in the key.
 */
export type Ownership = "tenant" | "workspace" | "unindexed" | "lane" | "delivery" | "series";

/** Column of a table. Bytes travel as hexadecimal digits. */
export interface MovedColumn {
  name: string;
  isBlob: boolean;
}

/** Table of the shards whose rows move with their workspace. */
export interface MovedTable {
  name: string;
  ownership: Ownership;
  columns: readonly MovedColumn[];
  /** Columns of the primary key, in its order. */
  key: readonly MovedColumn[];
  /** Columns of each further unique index. */
  uniques: readonly (readonly string[])[];
}

/**
 * Tables that move, in the order in which they are copied: a row after those that it refers to. The source is emptied in
 * the opposite order. Labels, search index and numbers of links come from triggers.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  describeTable(tenants, "tenant", ["link_count", "archived_count"]),
  describeTable(usageCounters, "workspace"),
  describeTable(links, "workspace"),
  describeTable(qrTemplates, "workspace"),
  describeTable(bioPages, "workspace"),
  describeTable(assets, "workspace"),
  describeTable(deletedAssets, "unindexed"),
  describeTable(idempotencyKeys, "workspace"),
  describeTable(webhooks, "workspace"),
  describeTable(webhookLanes, "lane"),
  describeTable(deliveryBacklogs, "workspace"),
  describeTable(webhookEvents, "unindexed"),
  describeTable(eventDeliveries, "lane"),
  describeTable(deliveryAttempts, "delivery"),
  describeTable(deletedSeries, "workspace"),
  describeTable(scanMonths, "series"),
  describeTable(scanDays, "series"),
  describeTable(scanFacts, "series"),
  describeTable(scanParts, "series"),
  describeTable(scanHistory, "series"),
  describeTable(scanHistoryCounts, "series"),
  describeTable(auditLog, "workspace"),
];

/** Tables of the shards that do not move, since their rows belong to the shard or come from triggers. */
export const UNMOVED_TABLES: readonly string[] = [
  "counted_buckets",
  "link_labels",
  "moved_rows",
  "own_hosts",
  "scan_costs",
  "target_changes",
  "transits",
];

function describeTable(
  table: SQLiteTable,
  ownership: Ownership,
  derived: readonly string[] = [],
): MovedTable {
  const { name, columns, primaryKeys, indexes, uniqueConstraints } = getTableConfig(table);
  const describe = (column: { name: string; getSQLType(): string }): MovedColumn => ({
    name: column.name,
    isBlob: column.getSQLType() === "blob",
  });
  const [primaryKey] = primaryKeys;
  const key = primaryKey?.columns ?? columns.filter(({ primary }) => primary);
  const unique = [
    ...columns.filter(({ isUnique }) => isUnique).map((column) => [column.name]),
    ...uniqueConstraints.map((constraint) => constraint.columns.map((column) => column.name)),
    ...indexes
      .filter(({ config }) => config.unique)
      .map(({ config }) => config.columns.map((column) => (column as { name: string }).name)),
  ];
  return {
    name,
    ownership,
    columns: columns.map(describe).filter((column) => !derived.includes(column.name)),
    key: key.map(describe),
    uniques: unique,
  };
}
