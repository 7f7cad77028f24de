import type { Window } from "../counting/window.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import { toTrafficClass } from "../scans/traffic.ts";

/** Maximum number of links in one statement. */
const STEP_LINKS = 1_000;

/** Returns the statements that add the scans of people to their links. */
export function addScanCounts(d1: D1Database, windows: readonly Window<ScanFacts>[]): D1PreparedStatement[] {
  const tallies = tallyByLink(windows);
  const steps = Math.ceil(tallies.length / STEP_LINKS);
  return Array.from({ length: steps }, (_, step) =>
    d1
      .prepare(
        `UPDATE links
            SET scan_count = scan_count + (tally.value ->> 1),
                last_scan_at = max(coalesce(links.last_scan_at, 0), tally.value ->> 2)
           FROM json_each(?1) AS tally
          WHERE links.id = tally.value ->> 0`,
      )
      .bind(JSON.stringify(tallies.slice(step * STEP_LINKS, (step + 1) * STEP_LINKS))),
  );
}

/** Returns id, number of scans and time of the last scan of each link that people scanned. */
function tallyByLink(windows: readonly Window<ScanFacts>[]): [string, number, number][] {
  const tallies = new Map<string, [string, number, number]>();
  for (const { facts, timesMs } of windows.flatMap(({ groups }) => groups)) {
    if (toTrafficClass(facts.traffic) !== "human") continue;
    const tally = tallies.get(facts.linkId) ?? [facts.linkId, 0, 0];
    tally[1] += timesMs.length;
    tally[2] = Math.max(tally[2], ...timesMs);
    tallies.set(facts.linkId, tally);
  }
  return [...tallies.values()];
}
