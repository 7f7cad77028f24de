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
import { trash } from "../trash/trash.table.ts";
import {
  deliveryAttempts,
  deliveryBacklogs,
  eventDeliveries,
  webhookEvents,
  webhookLanes,
  webhooks,
} from "../webhooks/webhooks.table.ts";

/**
 * How rows of a table belong to a workspace:
 * - `tenant`: the workspace's own row.
 * - `workspace`: by the column `workspace_id`, the first column of an index.
 * - `unindexed`: by the column `workspace_id`, which isn't the first column of any index.
 * - `lane`: by the lane, the first column of the key.
 * - `delivery`: by the delivery, the first column of the key.
 * - `series`: by the owner of a series: the workspace or one of its bio pages, including deleted pages. A
 *   month or day may come before the owner in the key.
 */
export type Ownership = "tenant" | "workspace" | "unindexed" | "lane" | "delivery" | "series";

/** Column of a table. Bytes are copied as hexadecimal digits. */
export interface MovedColumn {
  name: string;
  isBlob: boolean;
  isInteger: boolean;
  /** True for a text that contains JSON. */
  isJson: boolean;
}

/** Table whose rows move with their workspace. */
export interface MovedTable {
  name: string;
  ownership: Ownership;
  columns: readonly MovedColumn[];
  /** Columns of the primary key, in key order. */
  key: readonly MovedColumn[];
  /** Columns of each other unique index. */
  uniques: readonly (readonly string[])[];
}

/**
 * Tables that move, in the order of the copy: referenced rows come before the rows that refer to them. The
 * source is emptied in reverse order. Labels, the search index and the numbers of links and of items in the
 * trash aren't copied, because triggers create them.
 */
export const MOVED_TABLES: readonly MovedTable[] = [
  describeTable(tenants, "tenant", [
    "link_count",
    "archived_count",
    "trashed_links",
    "trashed_pages",
    "trashed_templates",
  ]),
  describeTable(usageCounters, "workspace"),
  describeTable(links, "workspace"),
  describeTable(qrTemplates, "workspace"),
  describeTable(bioPages, "workspace"),
  // Before the trash, because a trigger marks the counts of erased pages.
  describeTable(deletedSeries, "workspace"),
  describeTable(trash, "workspace"),
  describeTable(assets, "workspace"),
  describeTable(deletedAssets, "unindexed"),
  describeTable(idempotencyKeys, "workspace"),
  describeTable(webhooks, "workspace"),
  describeTable(webhookLanes, "lane"),
  describeTable(deliveryBacklogs, "workspace"),
  describeTable(webhookEvents, "unindexed"),
  describeTable(eventDeliveries, "lane"),
  describeTable(deliveryAttempts, "delivery"),
  describeTable(scanMonths, "series"),
  describeTable(scanDays, "series"),
  describeTable(scanFacts, "series"),
  describeTable(scanParts, "series"),
  describeTable(scanHistory, "series"),
  describeTable(scanHistoryCounts, "series"),
  describeTable(auditLog, "workspace"),
];

/** Shard tables that don't move, because their rows belong to the shard or are created by triggers. */
export const UNMOVED_TABLES: readonly string[] = [
  "blocked_hosts",
  "counted_buckets",
  "link_aliases",
  "link_labels",
  "moved_rows",
  "own_hosts",
  "scan_costs",
  "target_changes",
  "transits",
  "watched_links",
];

/** Describes a table. `derived` are columns that triggers set. */
export function describeTable(
  table: SQLiteTable,
  ownership: Ownership,
  derived: readonly string[] = [],
): MovedTable {
  const { name, columns, primaryKeys, indexes, uniqueConstraints } = getTableConfig(table);
  const describe = (column: { name: string; dataType: string; getSQLType(): string }): MovedColumn => ({
    name: column.name,
    isBlob: column.getSQLType() === "blob",
    isInteger: column.getSQLType() === "integer",
    isJson: column.dataType === "json",
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
