// Pure: no I/O, clock or randomness.
import { DAY_MS } from "../../../core/time.ts";

/** Prepares daily counts of a page for display. */

/** Ranges in days. The first is the default. */
export const VISIT_RANGES = ["30", "7", "90"] as const;

/** Returns the first day (UTC) of a range that ends today. */
export function findFirstDay(days: number, nowMs: number): string {
  return new Date(nowMs - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** Bar of one day. */
export interface Bar {
  date: string;
  count: number;
  /** Share of the chart's height, 0 to 1. */
  height: number;
}

/** Returns one bar per point. The highest bar fills the chart. */
export function buildBars(points: readonly { date: string; count: number }[]): Bar[] {
  const max = Math.max(1, ...points.map(({ count }) => count));
  return points.map(({ date, count }) => ({ date, count, height: count / max }));
}

export function sumCounts(points: readonly { count: number }[]): number {
  return points.reduce((sum, { count }) => sum + count, 0);
}

/** Number of clicks on a link of the page. */
export interface BlockClicks {
  label: string;
  url: string;
  count: number;
}

/**
 * Returns the clicks on a page's links, most first, and links without clicks at the end. Clicks are counted
 * by destination, so links with the same destination share one entry. The label is empty for destinations
 * that are no longer on the page.
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
