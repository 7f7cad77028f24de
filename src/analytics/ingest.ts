import { countBatch, tallyGroups } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import type { ScanFacts } from "../scans/scan.ts";
import type { DeliveryMessage } from "../webhooks/events.ts";
import { rollUpScans } from "./rollups.ts";
import { readMessages, scannedDeliveries } from "./scan-deliveries.ts";

/**
 * Counts the scans of a queue batch, each once: at their links and in the roll-ups. Answers with the deliveries of
 * `link.scanned` that it wrote, for their queue.
 */
export async function ingestScans(
  batch: MessageBatch<Window<ScanFacts>>,
  d1: D1Database,
  nowMs: number,
): Promise<DeliveryMessage[]> {
  const results = await countBatch(batch, d1, nowMs, async (windows) => [
    countScans(d1, windows),
    ...rollUpScans(d1, windows),
    ...(await scannedDeliveries(d1, windows, nowMs)),
  ]);
  return readMessages(results);
}

function countScans(d1: D1Database, windows: readonly Window<ScanFacts>[]): D1PreparedStatement {
  return d1
    .prepare(
      `UPDATE links
          SET scan_count = scan_count + tally.scans,
              last_scan_at = max(coalesce(links.last_scan_at, 0), tally.scanned_at)
         FROM (SELECT value ->> 'subject' AS link_id, sum(value ->> 'count') AS scans,
                      max(value ->> 'lastAtMs') AS scanned_at
                 FROM json_each(?1)
                WHERE value ->> 'windowId' NOT IN (SELECT id FROM counted_windows)
                GROUP BY link_id) AS tally
        WHERE links.id = tally.link_id`,
    )
    .bind(JSON.stringify(tallyGroups(windows, ({ linkId }) => linkId)));
}
