import { ApiError } from "../core/error.ts";
import { logError } from "../core/log.ts";
import type { ScanCounts } from "./counts.ts";

/**
 * Returns an engine with the scans of Analytics Engine and the visitors of the roll-ups, because Analytics
 * Engine stores no visitors. If the roll-ups can't count them, they are missing.
 */
export function addRollupVisitors(engine: ScanCounts, rollups: ScanCounts): ScanCounts {
  return {
    isSampled: true,
    async byTime(interval, filter) {
      const [scans, visitors] = await Promise.all([
        engine.byTime(interval, filter),
        filter.hasVisitors ? tryRead(rollups.byTime(interval, filter)) : null,
      ]);
      return [...scans, ...(visitors ?? []).map((tally) => ({ ...tally, scans: 0 }))];
    },
    async byValue(dimension, limit, filter) {
      const [{ items }, ranking] = await Promise.all([
        engine.byValue(dimension, limit, filter),
        // Among the traffic classes, only people are counted as visitors.
        filter.hasVisitors || dimension === "traffic"
          ? tryRead(rollups.byValue(dimension, limit, filter))
          : null,
      ]);
      if (ranking === null) return { items };
      const byValue = new Map(ranking.items.map(({ value, visitors }) => [value, visitors]));
      const counted = items.map((item) => {
        const visitors = byValue.get(item.value);
        return visitors === undefined ? item : { ...item, visitors };
      });
      return { ...ranking, items: counted };
    },
  };
}

/** Returns null if the read fails. Logs unexpected errors. */
async function tryRead<Result>(reading: Promise<Result>): Promise<Result | null> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ApiError)) logError("the visitors could not be read", error);
    return null;
  }
}
