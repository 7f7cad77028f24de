import { isUuid } from "../core/id.ts";
import { countBatch } from "../counting/count.ts";
import { countOccurrences, type WorkspaceSlice } from "../counting/slices.ts";
import type { Window } from "../counting/window.ts";
import { type DatabaseBindings, getShard } from "../db/shards.ts";
import { addScanCounts } from "../links/scan-counts.ts";
import { DIMENSIONS, listValues } from "../scans/dimensions.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import { toTrafficClass } from "../scans/traffic.ts";
import { isMark } from "../scans/visitor-mark.ts";
import { findLocations, type WorkspaceLocation } from "../tenant/locations.ts";
import type { WakeUp } from "../webhooks/delivery-state.ts";
import { tryMoveLogs } from "./move-logs.ts";
import { rollUp } from "./roll-up.ts";
import { recordCosts, sumRowsWritten } from "./scan-costs.ts";
import { buildScanDeliveries, readScanWakeUps } from "./scan-deliveries.ts";
import { FACT_DIMENSIONS, type Occurrences, toHexId, WORKSPACE_SCANS } from "./series.ts";

/**
 * Counts each scan of a queue batch exactly once, at its link and in the roll-ups, and writes its
 * `link.scanned` event in the same transaction. Returns the webhook lanes (one per endpoint) to wake on each
 * shard.
 */
export async function ingestScans(
  batch: MessageBatch<Window<ScanFacts>>,
  bindings: DatabaseBindings,
  nowMs: number,
): Promise<{ shard: number; wakeUps: WakeUp[] }[]> {
  // `buildStatements` for a shard runs just before its transaction, so the number stored here belongs to the
  // transaction whose results `afterTransaction` receives.
  const eventStatements = new Map<D1Database, number>();
  const counted = await countBatch<ScanFacts, WorkspaceLocation>(batch, nowMs, {
    isCountable,
    findLocations: (workspaceIds) => findLocations(bindings.DIRECTORY, workspaceIds),
    getShard: (shard) => getShard(bindings, shard),
    async buildStatements(d1, slices) {
      const events = await buildScanDeliveries(d1, selectPeople(slices), nowMs);
      eventStatements.set(d1, events.length);
      return [...events, ...addScanCounts(d1, slices), ...rollUp(d1, listOccurrences(slices))];
    },
    async afterTransaction(d1, results, slices) {
      const first = eventStatements.get(d1) ?? 0;
      const counted = sumRowsWritten(results.slice(first)) + (await tryMoveLogs(d1, results));
      const events = sumRowsWritten(results.slice(0, first));
      await recordCosts(d1, { scans: countScans(slices), counted, events }, nowMs);
    },
  });
  return counted.map(({ shard, results }) => ({ shard, wakeUps: readScanWakeUps(results) }));
}

type ScanSlice = WorkspaceSlice<ScanFacts, WorkspaceLocation>;

function countScans(slices: readonly ScanSlice[]): number {
  return slices.reduce((sum, slice) => sum + countOccurrences(slice), 0);
}

function isCountable({ workspaceId, linkId }: ScanFacts): boolean {
  return isUuid(workspaceId) && isUuid(linkId);
}

function listOccurrences(slices: readonly ScanSlice[]): Occurrences[] {
  return slices.flatMap(({ groups }) =>
    groups.map(({ facts, timesMs, visitors = [] }) => {
      const values = listValues(facts);
      const isHuman = toTrafficClass(facts.traffic) === "human";
      return {
        owner: facts.workspaceId,
        items: [toHexId(facts.linkId), WORKSPACE_SCANS],
        values: FACT_DIMENSIONS.map((name) => (name === "link" ? "" : (values[DIMENSIONS[name] - 1] ?? ""))),
        timesMs,
        visitors: isHuman ? visitors.map((mark) => (isMark(mark) ? mark : "")) : [],
      };
    }),
  );
}

/** Returns the slices with scans by people only. Webhooks don't send events for other traffic. */
function selectPeople(slices: readonly ScanSlice[]): ScanSlice[] {
  return slices.map((slice) => ({
    ...slice,
    groups: slice.groups.filter(({ facts }) => toTrafficClass(facts.traffic) === "human"),
  }));
}
