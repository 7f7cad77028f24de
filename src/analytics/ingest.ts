import { isUuid } from "../core/id.ts";
import { countBatch, type Part } from "../counting/count.ts";
import type { Window } from "../counting/window.ts";
import { type DatabaseBindings, getShard } from "../db/shards.ts";
import { addScanCounts } from "../links/scan-counts.ts";
import { listValues } from "../scans/dimensions.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import { toTrafficClass } from "../scans/traffic.ts";
import { findPlaces, type WorkspacePlace } from "../tenant/places.ts";
import type { WakeUp } from "../webhooks/delivery-state.ts";
import { tryMoveLogs } from "./move-logs.ts";
import { rollUp } from "./roll-up.ts";
import { buildScanDeliveries, readScanWakeUps } from "./scan-deliveries.ts";
import { type Occurrences, toHexId, WORKSPACE_SCANS } from "./series.ts";

/**
 * Counts the scans of a queue batch, each once: at their links and in the roll-ups. Writes their
 * `link.scanned` events in the same transaction, so that each is written once. Returns the lanes to wake on each shard.
 */
export async function ingestScans(
  batch: MessageBatch<Window<ScanFacts>>,
  bindings: DatabaseBindings,
  nowMs: number,
): Promise<{ shard: number; wakeUps: WakeUp[] }[]> {
  const counted = await countBatch<ScanFacts, WorkspacePlace>(batch, {
    isCountable,
    findPlaces: (workspaceIds) => findPlaces(bindings.DIRECTORY, workspaceIds),
    getShard: (shard) => getShard(bindings, shard),
    buildStatements: async (d1, parts) => [
      ...addScanCounts(d1, parts),
      ...rollUp(d1, listOccurrences(parts)),
      ...(await buildScanDeliveries(d1, selectPeople(parts), nowMs)),
    ],
    afterTransaction: tryMoveLogs,
  });
  return counted.map(({ shard, results }) => ({ shard, wakeUps: readScanWakeUps(results) }));
}

type ScanPart = Part<ScanFacts, WorkspacePlace>;

function isCountable({ workspaceId, linkId }: ScanFacts): boolean {
  return isUuid(workspaceId) && isUuid(linkId);
}

function listOccurrences(parts: readonly ScanPart[]): Occurrences[] {
  return parts.flatMap(({ groups }) =>
    groups.map(({ facts, timesMs }) => {
      const [, ...values] = listValues(facts);
      return {
        owner: toHexId(facts.workspaceId),
        items: [toHexId(facts.linkId), WORKSPACE_SCANS],
        // The class is the last dimension, and the first value of a fact.
        values: [values.pop() ?? "", ...values],
        timesMs,
      };
    }),
  );
}

/** Returns the parts with the scans of people only, the ones that webhooks are told about. */
function selectPeople(parts: readonly ScanPart[]): ScanPart[] {
  return parts.map((part) => ({
    ...part,
    groups: part.groups.filter(({ facts }) => toTrafficClass(facts.traffic) === "human"),
  }));
}
