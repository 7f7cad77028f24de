import type { WorkspaceSlice } from "../counting/slices.ts";
import { formatBatches } from "../db/json-batches.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import { toTrafficClass } from "../scans/traffic.ts";
import { prepareLateCounts } from "../trash/late-counts.ts";

type Tally = [linkId: string, scans: number, lastScanMs: number, workspaceId: string];

/** Returns the statements that add the scans of people to their links' counts. */
export function addScanCounts(
  d1: D1Database,
  slices: readonly WorkspaceSlice<ScanFacts>[],
): D1PreparedStatement[] {
  return formatBatches(tallyByLink(slices)).flatMap((tallies) => [
    d1
      .prepare(
        `UPDATE links
            SET scan_count = scan_count + (tally.value ->> 1),
                last_scan_at = max(coalesce(links.last_scan_at, 0), tally.value ->> 2)
           FROM json_each(?1) AS tally
          WHERE links.workspace_id = tally.value ->> 3 AND links.id = tally.value ->> 0`,
      )
      .bind(tallies),
    prepareLateCounts(d1, "link", tallies, [
      ["scan_count", "sum"],
      ["last_scan_at", "max"],
    ]),
  ]);
}

/** Counts the scans of people by link. Returns each link's id, number of scans, last scan and workspace. */
function tallyByLink(slices: readonly WorkspaceSlice<ScanFacts>[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { facts, timesMs } of slices.flatMap(({ groups }) => groups)) {
    if (toTrafficClass(facts.traffic) !== "human") continue;
    const tally: Tally = tallies.get(facts.linkId) ?? [facts.linkId, 0, 0, facts.workspaceId];
    tally[1] += timesMs.length;
    tally[2] = Math.max(tally[2], ...timesMs);
    tallies.set(facts.linkId, tally);
  }
  return [...tallies.values()];
}
