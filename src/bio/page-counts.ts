import { countBatch, tallyGroups } from "../counting/count.ts";
import { CountingWindow, type Window } from "../counting/window.ts";

/** One view of a page, or one click on a link of it. */
export interface PageVisit {
  pageId: string;
  kind: "view" | "click";
}

const hits = new CountingWindow<PageVisit>();

/** Records a hit, to be counted within a moment; never fails the answer it belongs to. */
export function recordVisit(
  queue: Queue,
  hit: PageVisit,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  hits.record(queue, hit, nowMs, waitUntil);
}

/** Counts the hits of a queue batch, each once. */
export async function countVisitBatch(
  batch: MessageBatch<Window<PageVisit>>,
  d1: D1Database,
  nowMs: number,
): Promise<void> {
  await countBatch(batch, d1, nowMs, (windows) => [addVisits(d1, windows)]);
}

function addVisits(d1: D1Database, windows: readonly Window<PageVisit>[]): D1PreparedStatement {
  return d1
    .prepare(
      `UPDATE bio_pages
          SET view_count = view_count + tally.views, click_count = click_count + tally.clicks
         FROM (SELECT value ->> '$.subject.pageId' AS page_id,
                      sum(iif(value ->> '$.subject.kind' = 'view', value ->> 'count', 0)) AS views,
                      sum(iif(value ->> '$.subject.kind' = 'click', value ->> 'count', 0)) AS clicks
                 FROM json_each(?1)
                WHERE value ->> 'windowId' NOT IN (SELECT id FROM counted_windows)
                GROUP BY page_id) AS tally
        WHERE bio_pages.id = tally.page_id`,
    )
    .bind(JSON.stringify(tallyGroups(windows, (hit) => hit)));
}
