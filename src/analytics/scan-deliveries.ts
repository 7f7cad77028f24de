import { sql } from "drizzle-orm";
import { toIso } from "../core/time.ts";
import { uncounted } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import { openDatabase } from "../db/database.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { DeliveryMessage } from "../webhooks/delivery-state.ts";
import type { EventData } from "../webhooks/events.ts";
import { insertDeliveries, subscribedTo } from "../webhooks/outbox.ts";
import { webhooks } from "../webhooks/webhooks.table.ts";

/** Maximum number of windows in one statement: a window has up to 64 KB, and a bound value of D1 up to 2 MB. */
const STEP_WINDOWS = 15;

/**
 * Returns the statements that write the `link.scanned` deliveries of uncounted windows, for the batch that counts them.
 * There are none if no endpoint subscribes to scans.
 */
export async function buildScanDeliveries(
  d1: D1Database,
  windows: readonly Window<ScanFacts>[],
  nowMs: number,
): Promise<D1PreparedStatement[]> {
  const subscribed = await findSubscribedWorkspaces(d1, windows);
  if (subscribed.size === 0) return [];
  const steps = Math.ceil(windows.length / STEP_WINDOWS);
  return Array.from({ length: steps }, (_, step) =>
    buildStatement(d1, windows.slice(step * STEP_WINDOWS, (step + 1) * STEP_WINDOWS), subscribed, nowMs),
  );
}

/** Returns the queue messages of the deliveries that the statements wrote. */
export function readMessages(results: readonly D1Result[]): DeliveryMessage[] {
  const rows = results.flatMap((result) => result.results as { id?: string; webhook_id?: string }[]);
  return rows.flatMap(({ id, webhook_id }) =>
    id !== undefined && webhook_id !== undefined ? [{ deliveryId: id, webhookId: webhook_id }] : [],
  );
}

async function findSubscribedWorkspaces(
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

function buildStatement(
  d1: D1Database,
  windows: readonly Window<ScanFacts>[],
  subscribed: ReadonlySet<string>,
  nowMs: number,
): D1PreparedStatement {
  const groups = windows.flatMap(({ id, groups }) =>
    groups
      .filter(({ facts }) => subscribed.has(facts.workspaceId))
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
                    where ${sql.raw(uncounted("item.value ->> '$.windowId'"))}`;
  const subscribers = sql`${webhooks.workspaceId} = event.workspace_id and ${subscribedTo("link.scanned")}`;
  const { sql: text, params } = insertDeliveries(
    openDatabase(d1),
    nowMs,
    { type: "link.scanned", rows },
    subscribers,
  ).toSQL();
  return d1.prepare(text).bind(...params);
}

/** Builds the data of a scan's event. `scanned_at` is a placeholder that the statement fills in for each scan. */
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
