import { isUuid } from "../core/id.ts";
import { countBatch } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import { addScanCounts } from "../links/scan-counts.ts";
import { listValues } from "../scans/dimensions.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import { toTrafficClass } from "../scans/traffic.ts";
import type { WakeUp } from "../webhooks/delivery-state.ts";
import { tryMoveLogs } from "./move-logs.ts";
import { rollUp } from "./roll-up.ts";
import { recordCosts, sumRowsWritten } from "./scan-costs.ts";
import { buildScanDeliveries, readScanWakeUps } from "./scan-deliveries.ts";
import { type Occurrences, toHexId, WORKSPACE_SCANS } from "./series.ts";

/**
 * Counts the scans of a queue batch, each once: at their links and in the roll-ups. Writes their
 * `link.scanned` events in the same transaction, so that each is written once. Returns the lanes to wake.
 */
export async function ingestScans(
  batch: MessageBatch<Window<ScanFacts>>,
  d1: D1Database,
  nowMs: number,
): Promise<WakeUp[]> {
  let eventStatements = 0;
  const results = await countBatch(batch, d1, {
    isCountable,
    async buildStatements(windows) {
      const events = await buildScanDeliveries(d1, selectPeople(windows), nowMs);
      eventStatements = events.length;
      return [...events, ...addScanCounts(d1, windows), ...rollUp(d1, listOccurrences(windows))];
    },
    async afterTransaction(results, windows) {
      const counted = sumRowsWritten(results.slice(eventStatements)) + (await tryMoveLogs(d1, results));
      const events = sumRowsWritten(results.slice(0, eventStatements));
      await recordCosts(d1, { scans: countScans(windows), counted, events }, nowMs);
    },
  });
  return readScanWakeUps(results);
}

function countScans(windows: readonly Window<ScanFacts>[]): number {
  return windows.flatMap(({ groups }) => groups).reduce((sum, { timesMs }) => sum + timesMs.length, 0);
}

function isCountable({ workspaceId, linkId }: ScanFacts): boolean {
  return isUuid(workspaceId) && isUuid(linkId);
}

function listOccurrences(windows: readonly Window<ScanFacts>[]): Occurrences[] {
  return windows.flatMap(({ groups }) =>
    groups.map(({ facts, timesMs }) => {
      const [, ...values] = listValues(facts);
      return {
        owner: facts.workspaceId,
        items: [toHexId(facts.linkId), WORKSPACE_SCANS],
        // The class is the last dimension, and the first value of a fact.
        values: [values.pop() ?? "", ...values],
        timesMs,
      };
    }),
  );
}

/** Returns the windows with the scans of people only, the ones that webhooks are told about. */
function selectPeople(windows: readonly Window<ScanFacts>[]): Window<ScanFacts>[] {
  return windows.map(({ id, groups }) => ({
    id,
    groups: groups.filter(({ facts }) => toTrafficClass(facts.traffic) === "human"),
  }));
}
