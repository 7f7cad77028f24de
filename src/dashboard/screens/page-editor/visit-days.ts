import { DAY_MS } from "../../../core/time.ts";

/** Counts of a page over time. */

/** Ranges in days. The first is the default. */
export const VISIT_RANGES = ["30", "7", "90"] as const;

/** Returns the first day of a range that ends today, in UTC. */
export function findFirstDay(days: number, nowMs: number): string {
  return new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** Bar of a day, as parts of the height of the chart. */
export interface Bar {
  date: string;
  count: number;
  /** 0 to 1. */
  height: number;
}

/** Returns the bars of points, the highest of which fills the chart. */
export function buildBars(points: readonly { date: string; count: number }[]): Bar[] {
  const max = Math.max(1, ...points.map(({ count }) => count));
  return points.map(({ date, count }) => ({ date, count, height: count / max }));
}

/** Adds counts up. */
export function sumCounts(points: readonly { count: number }[]): number {
  return points.reduce((sum, { count }) => sum + count, 0);
}

/** Count of a block of the page. */
export interface BlockClicks {
  label: string;
  url: string;
  count: number;
}

/**
 * Returns the clicks on the links of a page, most first. Clicks are counted by destination, so links to the same one
 * share them. Destinations that are not on the page any more come with their address.
 */
export function matchClicks(
  items: readonly { value: string; count: number }[],
  blocks: readonly { label: string; url?: string | undefined; type?: string | undefined }[],
): BlockClicks[] {
  const labels = new Map<string, string>();
  for (const { label, url, type } of blocks) {
    if (type === "heading" || url === undefined || !URL.canParse(url)) continue;
    const { href } = new URL(url);
    if (!labels.has(href)) labels.set(href, label);
  }
  const counted = items.map(({ value, count }) => ({ label: labels.get(value) ?? "", url: value, count }));
  const uncounted = [...labels]
    .filter(([url]) => !items.some(({ value }) => value === url))
    .map(([url, label]) => ({ label, url, count: 0 }));
  return [...counted, ...uncounted];
}
