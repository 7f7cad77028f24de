import { tryMoveLogs } from "../analytics/move-logs.ts";
import { rollUp } from "../analytics/roll-up.ts";
import { type Occurrences, PAGE_CLICKS, PAGE_VIEWS } from "../analytics/series.ts";
import { isUuid } from "../core/id.ts";
import { countBatch } from "../counting/count.ts";
import type { WorkspaceSlice } from "../counting/slices.ts";
import { CountingWindow, type Window } from "../counting/window.ts";
import { formatBatches } from "../db/json-batches.ts";
import { type DatabaseBindings, getShard } from "../db/shards.ts";
import type { RequestVisitor } from "../routing/visitor.ts";
import { tidyVisit } from "../scans/tidy-scan.ts";
import { type TrafficClass, toTrafficClass } from "../scans/traffic.ts";
import { findLocations, type WorkspaceLocation } from "../tenant/locations.ts";
import { prepareLateCounts } from "../trash/late-counts.ts";

/** Maximum length of a destination in click counts. Limits what a page can add to a batch. */
const LINK_MAX_LENGTH = 256;
/** SQL condition that skips erased pages: counts added after the erasure would never be deleted. */
const PAGE_EXISTS = `(EXISTS (SELECT 1 FROM bio_pages WHERE bio_pages.id = value ->> 1)
  OR EXISTS (SELECT 1 FROM trash WHERE trash.item_id = value ->> 1 AND trash.kind = 'bio_page'))`;

/** Recorded view of a page, or click on one of its links. Contains no IP address. */
export interface PageVisit {
  workspaceId: string;
  pageId: string;
  kind: "view" | "click";
  /** Properties of the visitor, as in `ScanFacts`. */
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

/** View or click as passed by the request handler. */
interface Visit extends Pick<PageVisit, "workspaceId" | "pageId" | "kind"> {
  link: string | null;
  visitor: RequestVisitor;
}

const visits = new CountingWindow<PageVisit>();

interface VisitQueues {
  PAGE_HIT_QUEUE: Queue;
  PAGE_HIT_SPARE_QUEUE: Queue;
}

/**
 * Records a view or click. The isolate collects visits in a window (a short time span) and sends the window
 * to the queue in `waitUntil`, so that counting neither delays the response nor makes it fail.
 */
export function recordVisit(
  queues: VisitQueues,
  { workspaceId, pageId, kind, link, visitor }: Visit,
  nowMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  const { traffic, country, region, device, os, browser, referrer, languages } = visitor;
  const facts = tidyVisit({ country, region, device, os, browser, referrer, language: languages[0] ?? null });
  const visit = {
    workspaceId,
    pageId,
    kind,
    traffic,
    ...facts,
    link: link?.slice(0, LINK_MAX_LENGTH) ?? null,
  };
  const { PAGE_HIT_QUEUE: main, PAGE_HIT_SPARE_QUEUE: spare } = queues;
  visits.record({ main, spare }, visit, nowMs, waitUntil);
}

/** Counts the views and clicks in a queue batch. A redelivered window is counted only once. */
export async function countVisitBatch(
  batch: MessageBatch<Window<PageVisit>>,
  bindings: DatabaseBindings,
  nowMs: number,
): Promise<void> {
  await countBatch<PageVisit, WorkspaceLocation>(batch, nowMs, {
    isCountable,
    findLocations: (workspaceIds) => findLocations(bindings.DIRECTORY, workspaceIds),
    getShard: (shard) => getShard(bindings, shard),
    buildStatements: (d1, slices) => [
      ...prepareVisitCounts(d1, slices),
      ...rollUp(d1, listOccurrences(slices), PAGE_EXISTS),
    ],
    async afterTransaction(d1, results) {
      await tryMoveLogs(d1, results);
    },
  });
}

function isCountable({ workspaceId, pageId, kind }: PageVisit): boolean {
  return isUuid(workspaceId) && isUuid(pageId) && (kind === "view" || kind === "click");
}

function listOccurrences(slices: readonly WorkspaceSlice<PageVisit>[]): Occurrences[] {
  return slices.flatMap(({ groups }) =>
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

type Tally = [pageId: string, views: number, clicks: number, workspaceId: string];

/** Prepares the statements that add views and clicks by people to their pages' counters. */
function prepareVisitCounts(
  d1: D1Database,
  slices: readonly WorkspaceSlice<PageVisit>[],
): D1PreparedStatement[] {
  return formatBatches(tallyByPage(slices)).flatMap((tallies) => [
    d1
      .prepare(
        `UPDATE bio_pages
            SET view_count = view_count + (tally.value ->> 1), click_count = click_count + (tally.value ->> 2)
           FROM json_each(?1) AS tally
          WHERE bio_pages.workspace_id = tally.value ->> 3 AND bio_pages.id = tally.value ->> 0`,
      )
      .bind(tallies),
    prepareLateCounts(d1, "bio_page", tallies, [
      ["view_count", "sum"],
      ["click_count", "sum"],
    ]),
  ]);
}

/** Returns the ID, views, clicks and workspace of each page that people visited. */
function tallyByPage(slices: readonly WorkspaceSlice<PageVisit>[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const { facts, timesMs } of slices.flatMap(({ groups }) => groups)) {
    if (toTrafficClass(facts.traffic) !== "human") continue;
    const tally: Tally = tallies.get(facts.pageId) ?? [facts.pageId, 0, 0, facts.workspaceId];
    tally[facts.kind === "view" ? 1 : 2] += timesMs.length;
    tallies.set(facts.pageId, tally);
  }
  return [...tallies.values()];
}
