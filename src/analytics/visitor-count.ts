// Pure: no I/O, clock or randomness.

/**
 * Maximum number of visitors in a sample. Up to this number, a sample contains every visitor. Beyond it, the
 * standard error of an estimate is 1 / √8,191, which is 1.1 %.
 */
export const SAMPLE_MAX = 8_192;

/** Number of visitors, each counted once per UTC day. */
export interface VisitorCount {
  count: number;
  isEstimated: boolean;
}

export const NO_VISITORS: VisitorCount = { count: 0, isEstimated: false };

/** Returns the visitors of a UTC day. Days with more visitors than a sample holds are estimated. */
export function countDayVisitors(scans: number, repeats: number): VisitorCount {
  const count = limitVisitors(scans, repeats);
  return { count, isEstimated: count > SAMPLE_MAX };
}

/** Returns scans minus repeats, but at least one visitor if there are scans: repeats may be estimated. */
export function limitVisitors(scans: number, repeats: number): number {
  return Math.min(scans, Math.max(scans - repeats, Math.sign(scans)));
}

/** Adds numbers of visitors. */
export function addVisitors(one: VisitorCount, other: VisitorCount): VisitorCount {
  return { count: one.count + other.count, isEstimated: one.isEstimated || other.isEstimated };
}
