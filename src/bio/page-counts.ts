import { tryMoveLogs } from "../analytics/move-logs.ts";
import { rollUp } from "../analytics/roll-up.ts";
import { type Occurrences, PAGE_CLICKS, PAGE_VIEWS } from "../analytics/series.ts";
import { isUuid } from "../core/id.ts";
import { countBatch } from "../counting/count.ts";
import { CountingWindow, type Window } from "../counting/window.ts";
import type { RequestVisitor } from "../routing/visitor.ts";
import { tidyVisit } from "../scans/tidy-scan.ts";
import { type TrafficClass, toTrafficClass } from "../scans/traffic.ts";

/** Maximum length of a destination in the counts of clicks. It bounds what a page can add to a batch. */
const LINK_MAX_LENGTH = 256;
/** Condition for the series of a page that is not deleted: nothing would delete counts that come later. */
const PAGE_EXISTS = "EXISTS (SELECT 1 FROM bio_pages WHERE bio_pages.id = value ->> 1)";
/** Maximum number of pages in one statement. */
const STEP_PAGES = 1_000;

/** Facts of a view of a page, or of a click on one of its links. They hold no IP address. */
export interface PageVisit {
  pageId: string;
  kind: "view" | "click";
  /** Facts of the visitor, as in `ScanFacts`. Absent in messages from before they were counted. */
  traffic?: TrafficClass;
  country?: string | null;
  region?: string | null;
  device?: string | null;
  os?: string | null;
  browser?: string | null;
  referrer?: string | null;
  language?: string | null;
  /** Destination of a click. */
  link?: string | null;
}

/** Visit as a request brings it. */
interface Visit extends Pick<PageVisit, "pageId" | "kind"> {
  link: string | null;
  visitor: RequestVisitor;
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
  { pageId, kind, link, visitor }: Visit,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  const { traffic, country, region, device, os, browser, referrer, languages } = visitor;
  const facts = tidyVisit({ country, region, device, os, browser, referrer, language: languages[0] ?? null });
  const visit = { pageId, kind, traffic, ...facts, link: link?.slice(0, LINK_MAX_LENGTH) ?? null };
  const { PAGE_HIT_QUEUE: main, PAGE_HIT_SPARE_QUEUE: spare } = queues;
  visits.record({ main, spare }, visit, nowMs, waitUntil);
}

/** Counts the views and clicks of a queue batch. A redelivered window is counted once. */
export async function countVisitBatch(batch: MessageBatch<Window<PageVisit>>, d1: D1Database): Promise<void> {
  await countBatch(batch, d1, {
    isCountable,
    buildStatements: (windows) => [
      ...prepareVisitCounts(d1, windows),
      ...rollUp(d1, listOccurrences(windows), PAGE_EXISTS),
    ],
    async afterTransaction(results) {
      await tryMoveLogs(d1, results);
    },
  });
}

function isCountable({ pageId, kind }: PageVisit): boolean {
  return isUuid(pageId) && (kind === "view" || kind === "click");
}

function listOccurrences(windows: readonly Window<PageVisit>[]): Occurrences[] {
  return windows.flatMap(({ groups }) =>
    groups.map(({ facts, timesMs }) => {
      const { pageId, kind, country, region, device, os, browser, referrer, language, link } = facts;
      const traffic = toTrafficClass(facts.traffic);
      const values = [country, region, device, os, browser, referrer, language, null, link];
      return {
        owner: pageId,
        items: [kind === "view" ? PAGE_VIEWS : PAGE_CLICKS],
        values: [traffic === "human" ? "" : traffic, ...values.map((value) => value ?? "")],
        timesMs,
      };
    }),
  );
}

/** Prepares the statements that add the views and clicks of people to their pages. */
function prepareVisitCounts(d1: D1Database, windows: readonly Window<PageVisit>[]): D1PreparedStatement[] {
  const tallies = tallyByPage(windows);
  const steps = Math.ceil(tallies.length / STEP_PAGES);
  return Array.from({ length: steps }, (_, step) =>
    d1
      .prepare(
        `UPDATE bio_pages
            SET view_count = view_count + (tally.value ->> 1), click_count = click_count + (tally.value ->> 2)
           FROM json_each(?1) AS tally
          WHERE bio_pages.id = tally.value ->> 0`,
      )
      .bind(JSON.stringify(tallies.slice(step * STEP_PAGES, (step + 1) * STEP_PAGES))),
  );
}

/** Returns id, views and clicks of each page that people visited. */
function tallyByPage(windows: readonly Window<PageVisit>[]): [string, number, number][] {
  const tallies = new Map<string, [string, number, number]>();
  for (const { facts, timesMs } of windows.flatMap(({ groups }) => groups)) {
    if (toTrafficClass(facts.traffic) !== "human") continue;
    const tally = tallies.get(facts.pageId) ?? [facts.pageId, 0, 0];
    tally[facts.kind === "view" ? 1 : 2] += timesMs.length;
    tallies.set(facts.pageId, tally);
  }
  return [...tallies.values()];
}
