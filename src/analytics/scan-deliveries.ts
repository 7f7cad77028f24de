import { sql } from "drizzle-orm";
import { toIso } from "../core/time.ts";
import type { Window } from "../counting/window.ts";
import { openDatabase } from "../db/database.ts";
import type { ScanFacts } from "../scans/scan.ts";
import type { DeliveryMessage, EventData } from "../webhooks/events.ts";
import { insertDeliveries, subscribedTo } from "../webhooks/outbox.ts";
import { webhooks } from "../webhooks/webhooks.table.ts";

/** Windows of one statement: each is below 64 KB, and D1 takes 2 MB in one value. */
const STEP_WINDOWS = 15;

/**
 * The statements that write the `link.scanned` deliveries of windows of scans, for the batch that counts them: a window
 * that was counted before is left out. None where nobody asked to hear of scans.
 */
export async function scannedDeliveries(
  d1: D1Database,
  windows: readonly Window<ScanFacts>[],
  nowMs: number,
): Promise<D1PreparedStatement[]> {
  const listening = await listeningWorkspaces(d1, windows);
  if (listening.size === 0) return [];
  const steps = Math.ceil(windows.length / STEP_WINDOWS);
  return Array.from({ length: steps }, (_, step) =>
    statementFor(d1, windows.slice(step * STEP_WINDOWS, (step + 1) * STEP_WINDOWS), listening, nowMs),
  );
}

/** The queue messages of the deliveries that the statements wrote. */
export function readMessages(results: readonly D1Result[]): DeliveryMessage[] {
  const rows = results.flatMap((result) => result.results as { id?: string; webhook_id?: string }[]);
  return rows.flatMap(({ id, webhook_id }) =>
    id !== undefined && webhook_id !== undefined ? [{ deliveryId: id, webhookId: webhook_id }] : [],
  );
}

async function listeningWorkspaces(
  d1: D1Database,
  windows: readonly Window<ScanFacts>[],
): Promise<ReadonlySet<string>> {
  const scanned = new Set(windows.flatMap(({ groups }) => groups.map(({ facts }) => facts.workspaceId)));
  const found = await openDatabase(d1)
    .selectDistinct({ id: webhooks.workspaceId })
    .from(webhooks)
    .where(
      sql`${webhooks.workspaceId} in (select value from json_each(${JSON.stringify([...scanned])}))
          and ${webhooks.enabled} and ${subscribedTo("link.scanned")}`,
    );
  return new Set(found.map(({ id }) => id));
}

function statementFor(
  d1: D1Database,
  windows: readonly Window<ScanFacts>[],
  listening: ReadonlySet<string>,
  nowMs: number,
): D1PreparedStatement {
  const groups = windows.flatMap(({ id, groups }) =>
    groups
      .filter(({ facts }) => listening.has(facts.workspaceId))
      .map(({ facts, timesMs }) => ({
        windowId: id,
        workspaceId: facts.workspaceId,
        data: buildEventData(facts),
        times: timesMs.map(toIso),
      })),
  );
  const rows = sql`select json_set(item.value -> '$.data', '$.scanned_at', time.value) as data, time.value as timestamp,
                          row_number() over (order by time.value) as ordinal,
                          item.value ->> '$.workspaceId' as workspace_id
                     from json_each(${JSON.stringify(groups)}) as item
                    cross join json_each(item.value -> '$.times') as time
                    where item.value ->> '$.windowId' not in (select id from counted_windows)`;
  const isRecipient = sql`${webhooks.workspaceId} = event.workspace_id and ${subscribedTo("link.scanned")}`;
  const { sql: text, params } = insertDeliveries(
    openDatabase(d1),
    nowMs,
    { type: "link.scanned", rows },
    isRecipient,
  ).toSQL();
  return d1.prepare(text).bind(...params);
}

/** What an event says of a scan, but for the time: its place is kept for that of each scan. */
function buildEventData(scan: ScanFacts): EventData["link.scanned"] {
  return {
    link_id: scan.linkId,
    short_code: scan.shortCode,
    destination: scan.destination,
    scanned_at: "",
    country: scan.country,
    device: scan.device,
    os: scan.os,
    browser: scan.browser,
    referrer: scan.referrer,
  };
}
