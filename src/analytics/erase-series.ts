import { and, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { DAY_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import {
  scanDays,
  scanFacts,
  scanHistory,
  scanHistoryCounts,
  scanMonths,
  scanParts,
} from "./analytics.table.ts";
import { numberMonth } from "./buckets.ts";
import { inRecentMonths } from "./month-rows.ts";
import { getFirstFactsMs } from "./retention.ts";
import { toHexId } from "./series.ts";

/**
 * Deletes some rows of the series of deleted workspaces or bio pages. `ownerIds` are the UUIDs of these
 * workspaces or pages. Returns the number of deleted rows, 0 if nothing is left.
 */
export async function eraseSeries(db: Database, ownerIds: readonly string[], nowMs: number): Promise<number> {
  const owned = ({ owner }: { owner: SQLiteColumn }): SQL =>
    sql`${owner} in (select unhex(value) from json_each(${JSON.stringify(ownerIds.map(toHexId))}))`;
  // The keys of `scan_months` and `scan_facts` begin with the month or day, so the conditions list each month
  // and day. Without these lists, the queries would read rows of all tenants. `fold-months.ts` deletes facts
  // from before the listed days, because they are too old to keep.
  const recentMonths = inRecentMonths(0, numberMonth(nowMs));
  const recentDays = sql`${scanFacts.day} in (select value from json_each(${JSON.stringify(listFactDays(nowMs))}))`;
  const { owner, month, item } = scanMonths;
  const days = scanDays;
  const facts = scanFacts;
  const parts = scanParts;
  const deleted = [
    await deleteSome(db, scanMonths, [month, owner, item], and(recentMonths, owned(scanMonths))),
    await deleteSome(db, days, [days.owner, days.item, days.day], owned(days)),
    await deleteSome(
      db,
      facts,
      [facts.day, facts.owner, facts.item, facts.part],
      and(recentDays, owned(facts)),
    ),
    await deleteSome(db, parts, [parts.owner, parts.month, parts.item, parts.part], owned(parts)),
    ...(await eraseHistory(db, owned)),
  ];
  return deleted.reduce((sum, count) => sum + count);
}

async function eraseHistory(db: Database, owned: (table: { owner: SQLiteColumn }) => SQL): Promise<number[]> {
  const deleted: number[] = [];
  for (const table of [scanHistory, scanHistoryCounts]) {
    deleted.push(await deleteSome(db, table, [table.owner, table.month, table.item], owned(table)));
  }
  return deleted;
}

function listFactDays(nowMs: number): number[] {
  const firstDay = getFirstFactsMs(nowMs) / DAY_MS;
  const today = Math.floor(nowMs / DAY_MS);
  return Array.from({ length: today - firstDay + 1 }, (_, index) => firstDay + index);
}
