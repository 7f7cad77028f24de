import { countBatch, tallyGroups, uncounted } from "../counting/count.ts";
import { CountingWindow, type Window } from "../counting/window.ts";

/** View of a page, or click on one of its links. */
export interface PageVisit {
  pageId: string;
  kind: "view" | "click";
}

const visits = new CountingWindow<PageVisit>();

/** Bindings that receive views and clicks. */
interface VisitQueues {
  PAGE_HIT_QUEUE: Queue;
  PAGE_HIT_SPARE_QUEUE: Queue;
}

/**
 * Records a view or click. The isolate collects them in a window, which `waitUntil` sends to the queue, so
 * that counting neither delays nor fails the response.
 */
export function recordVisit(
  queues: VisitQueues,
  visit: PageVisit,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  const { PAGE_HIT_QUEUE: main, PAGE_HIT_SPARE_QUEUE: spare } = queues;
  visits.record({ main, spare }, visit, nowMs, waitUntil);
}

/** Counts the views and clicks of a queue batch. A redelivered window is counted once. */
export async function countVisitBatch(
  batch: MessageBatch<Window<PageVisit>>,
  d1: D1Database,
  nowMs: number,
): Promise<void> {
  await countBatch(batch, d1, nowMs, (windows) => [prepareVisitCounts(d1, windows)]);
}

/** Prepares the statement that adds the views and clicks of the windows to their pages. */
function prepareVisitCounts(d1: D1Database, windows: readonly Window<PageVisit>[]): D1PreparedStatement {
  return d1
    .prepare(
      `UPDATE bio_pages
          SET view_count = view_count + tally.views, click_count = click_count + tally.clicks
         FROM (SELECT value ->> '$.subject.pageId' AS page_id,
                      sum(iif(value ->> '$.subject.kind' = 'view', value ->> 'count', 0)) AS views,
                      sum(iif(value ->> '$.subject.kind' = 'click', value ->> 'count', 0)) AS clicks
                 FROM json_each(?1)
                WHERE ${uncounted("value ->> 'windowId'")}
                GROUP BY page_id) AS tally
        WHERE bio_pages.id = tally.page_id`,
    )
    .bind(JSON.stringify(tallyGroups(windows, (visit) => visit)));
}
