import { countBatch } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import { addScanCounts } from "../links/scan-counts.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { WakeUp } from "../webhooks/delivery-state.ts";
import { rollUpScans } from "./rollups.ts";
import { buildScanDeliveries, readScanWakeUps } from "./scan-deliveries.ts";

/**
 * Counts the scans of a queue batch, each once: at their links and in the roll-ups. Writes their
 * `link.scanned` events in the same transaction, so that each is written once. Returns the lanes to wake.
 */
export async function ingestScans(
  batch: MessageBatch<Window<ScanFacts>>,
  d1: D1Database,
  nowMs: number,
): Promise<WakeUp[]> {
  const results = await countBatch(batch, d1, nowMs, async (windows) => [
    addScanCounts(d1, windows),
    ...rollUpScans(d1, windows),
    ...(await buildScanDeliveries(d1, windows, nowMs)),
  ]);
  return readScanWakeUps(results);
}
