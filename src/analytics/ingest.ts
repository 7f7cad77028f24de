import { countBatch } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import type { DeliveryMessage } from "../webhooks/events.ts";
import { messagesOf, scannedDeliveries } from "../webhooks/scanned.ts";
import { rollUpScans } from "./rollups.ts";
import type { Scan } from "./scan.ts";

/**
 * Counts the scans of a queue batch, each once: at their links and in the roll-ups. Answers with the deliveries of
 * `link.scanned` that it wrote, for their queue.
 */
export async function ingestScans(
  batch: MessageBatch<Window<Scan>>,
  d1: D1Database,
  nowMs: number,
): Promise<DeliveryMessage[]> {
  const results = await countBatch(batch, d1, nowMs, async (windows) => [
    countScans(d1, windows),
    ...rollUpScans(d1, windows),
    ...(await scannedDeliveries(d1, windows, nowMs)),
  ]);
  return messagesOf(results);
}

/** The scans of one link in one window. */
interface Tally {
  windowId: string;
  linkId: string;
  scans: number;
  lastScanAt: number;
}

function countScans(d1: D1Database, windows: readonly Window<Scan>[]): D1PreparedStatement {
  return d1
    .prepare(
      `UPDATE links
          SET scan_count = scan_count + tally.scans,
              last_scan_at = max(coalesce(links.last_scan_at, 0), tally.scanned_at)
         FROM (SELECT value ->> 'linkId' AS link_id, sum(value ->> 'scans') AS scans,
                      max(value ->> 'lastScanAt') AS scanned_at
                 FROM json_each(?1)
                WHERE value ->> 'windowId' NOT IN (SELECT id FROM counted_windows)
                GROUP BY link_id) AS tally
        WHERE links.id = tally.link_id`,
    )
    .bind(JSON.stringify(windows.flatMap(talliesOf)));
}

function talliesOf(window: Window<Scan>): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { linkId, scannedAtMs } of window.items) {
    const tally = tallies.get(linkId) ?? { windowId: window.id, linkId, scans: 0, lastScanAt: 0 };
    tally.scans += 1;
    tally.lastScanAt = Math.max(tally.lastScanAt, scannedAtMs);
    tallies.set(linkId, tally);
  }
  return [...tallies.values()];
}
