import { DAY_MS } from "../../../src/core/time.ts";
import { openDatabase } from "../../../src/db/database.ts";
import type { DatabaseBindings } from "../../../src/db/shards.ts";
import { watchDestinations } from "../../../src/destination-watch/watch-destinations.ts";
import { formatId, insertLinks } from "./cost-shapes.ts";
import { meterD1 } from "./meter.ts";

/** Links of one run: as many as one host may have in it. */
const LINKS = 30;

/** Rows that the first scan of a day adds: the watched link, and its entry in the index. */
const ROWS_ADDED = 2;

/** Rows for checking one destination. */
export interface CheckCost {
  check: string;
  rowsWritten: number;
  rowsRead: number;
}

/** Measures what the first check of a destination and a later one cost. Both find that it works. */
export async function measureChecks(databases: DatabaseBindings): Promise<CheckCost[]> {
  const links = Array.from({ length: LINKS }, (_, index) => ({
    linkId: formatId(5, index),
    workspaceId: formatId(4, 0),
    shard: 0,
  }));
  await insertLinks(databases, links);
  const { SHARD_0, DIRECTORY } = databases as { SHARD_0: D1Database; DIRECTORY: D1Database };
  const realFetch = globalThis.fetch;
  globalThis.fetch = (async () => new Response()) as typeof fetch;
  try {
    const costs: CheckCost[] = [];
    await SHARD_0.prepare("UPDATE links SET last_scan_at = ?1 WHERE workspace_id = ?2")
      .bind(Date.now(), formatId(4, 0))
      .run();
    for (const [check, days, rowsBefore] of [
      ["first", 0, ROWS_ADDED],
      ["later", 1, 0],
    ] as const) {
      const meter = meterD1(SHARD_0);
      const nowMs = Date.now() + days * DAY_MS;
      const db = openDatabase(meter.d1);
      const outbox = { db, shard: 0, nowMs, deliveryQueue: undefined as never, waitUntil() {} };
      const clock = { now: () => nowMs, sleep: async () => {} };
      const policy = { allowLoopback: false, isOwn: () => false };
      await watchDestinations({ directory: DIRECTORY, outbox, policy, clock });
      const rowsWritten = rowsBefore + meter.rowsWritten / LINKS;
      costs.push({ check, rowsWritten, rowsRead: meter.rowsRead / LINKS });
    }
    return costs;
  } finally {
    globalThis.fetch = realFetch;
  }
}
