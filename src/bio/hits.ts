import { countBatch } from "../counting/count.ts";
import { CountingWindow, type Window } from "../counting/window.ts";

/** One view of a page, or one click on a link of it. */
export interface PageHit {
  pageId: string;
  kind: "view" | "click";
}

/** A hit as JSON. */
const HIT_BYTES = 80;

const hits = new CountingWindow<PageHit>();

/** Records a hit, to be counted within a moment; never fails the answer it belongs to. */
export function recordHit(
  queue: Queue,
  hit: PageHit,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  hits.record(queue, hit, HIT_BYTES, nowMs, waitUntil);
}

/** Counts the hits of a queue batch, each once. */
export async function ingestHits(
  batch: MessageBatch<Window<PageHit>>,
  d1: D1Database,
  nowMs: number,
): Promise<void> {
  await countBatch(batch, d1, nowMs, (windows) => [countHits(d1, windows)]);
}

/** The hits of one page in one window. */
interface Tally {
  windowId: string;
  pageId: string;
  views: number;
  clicks: number;
}

function countHits(d1: D1Database, windows: readonly Window<PageHit>[]): D1PreparedStatement {
  return d1
    .prepare(
      `UPDATE bio_pages
          SET view_count = view_count + tally.views, click_count = click_count + tally.clicks
         FROM (SELECT value ->> 'pageId' AS page_id, sum(value ->> 'views') AS views,
                      sum(value ->> 'clicks') AS clicks
                 FROM json_each(?1)
                WHERE value ->> 'windowId' NOT IN (SELECT id FROM counted_windows)
                GROUP BY page_id) AS tally
        WHERE bio_pages.id = tally.page_id`,
    )
    .bind(JSON.stringify(windows.flatMap(talliesOf)));
}

function talliesOf(window: Window<PageHit>): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { pageId, kind } of window.items) {
    const tally = tallies.get(pageId) ?? { windowId: window.id, pageId, views: 0, clicks: 0 };
    tally[kind === "view" ? "views" : "clicks"] += 1;
    tallies.set(pageId, tally);
  }
  return [...tallies.values()];
}
