import { ingestScans } from "../../analytics/ingest.ts";
import { countVisitBatch, type PageVisit } from "../../bio/page-counts.ts";
import { changeUuidTime, generateUuidv7 } from "../../core/id.ts";
import type { Window } from "../../counting/window.ts";
import { decideOutcome, PERSON } from "../../resolving/outcome.ts";
import { buildTarget, type Target } from "../../resolving/target.ts";
import type { Visitor } from "../../routing/rules.ts";
import type { ScanFacts } from "../../scans/scan-facts.ts";
import { readUtm } from "../../scans/utm.ts";
import { formatMark } from "../../scans/visitor-mark.ts";
import type { DemoVisit } from "./demo-month.ts";
import type { DemoVisitor } from "./demo-visitors.ts";
import type { DemoWorld, VisitedLink, VisitedPage } from "./demo-world.ts";

/** Counts the demo's visits with the queue consumers that count real visits. */

/** Number of people with the same share, which is from 0 to 99. */
const MARKS_PER_SHARE = 6;

/** Counts visits of links. The index of a visit is the index of its link. */
export async function countLinkVisits(
  { storage, workspace, settings, links }: DemoWorld,
  visits: readonly DemoVisit[],
  nowMs: number,
): Promise<void> {
  const targets = new Map<VisitedLink, Target>();
  const groups = visits.flatMap(({ index, timeMs, visitor }) => {
    const item = links[index] as VisitedLink;
    const target = targets.get(item) ?? buildTarget(item.link, [], new Set(), settings);
    targets.set(item, target);
    const facts = followLink(item, target, visitor, timeMs);
    if (facts === null) return [];
    return [
      {
        facts: { workspaceId: workspace.id, ...facts },
        timesMs: [timeMs],
        visitors: [chooseMark(visitor, timeMs)],
      },
    ];
  });
  if (groups.length > 0) await ingestScans(toBatch("scans", groups, nowMs), storage, nowMs);
}

/** Returns the mark of one of a few hundred people, some of whom visit several times a day. */
function chooseMark({ share }: DemoVisitor, timeMs: number): string {
  const person = share * MARKS_PER_SHARE + (timeMs % MARKS_PER_SHARE);
  return formatMark(Uint8Array.of(person >> 8, person & 255, 0, 0));
}

/** Returns the facts of the scan, or null if the link didn't redirect the visitor. */
function followLink(
  item: VisitedLink,
  target: Target,
  { share, utcHours: _, ...visitor }: DemoVisitor,
  timeMs: number,
): Omit<ScanFacts, "workspaceId"> | null {
  const { id, shortCode, maxScans } = item.link;
  const routed: Visitor = {
    ...visitor,
    continent: null,
    languages: visitor.language === null ? [] : [visitor.language.toLowerCase()],
    query: new URLSearchParams(),
    search: "",
    share: () => share,
  };
  const access = {
    ...PERSON,
    traffic: visitor.traffic,
    hasPassword: true,
    hasConfirmed: true,
    isUsedUp: maxScans !== null && item.scans >= maxScans,
  };
  const current = { ...target, enabled: timeMs < item.disabledFromMs };
  const outcome = decideOutcome(current, routed, timeMs, access);
  if (outcome.status !== "found") return null;
  if (visitor.traffic === "human") item.scans += 1;
  const { address: destination, rule } = outcome;
  return { linkId: id, shortCode, destination, rule, utm: readUtm(destination), ...visitor };
}

/** Counts views and clicks. The index of a visit is the index of its page or button. */
export async function countPageVisits(
  { storage, workspace, pages }: DemoWorld,
  visits: readonly DemoVisit[],
  nowMs: number,
): Promise<void> {
  const groups = visits.map(
    ({ index, timeMs, visitor: { share: _share, utcHours: _hours, source: _source, ...visitor } }) => {
      const { pageId, link } = pages[index] as VisitedPage;
      const kind: PageVisit["kind"] = link === null ? "view" : "click";
      return { facts: { workspaceId: workspace.id, pageId, kind, link, ...visitor }, timesMs: [timeMs] };
    },
  );
  if (groups.length > 0) await countVisitBatch(toBatch("page-hits", groups, nowMs), storage, nowMs);
}

/** Builds a queue batch with one window of visits. Throws if the consumer retries the batch. */
function toBatch<Facts>(
  queue: string,
  groups: Window<Facts>["groups"],
  nowMs: number,
): MessageBatch<Window<Facts>> {
  const message = {
    id: "demo",
    timestamp: new Date(nowMs),
    attempts: 1,
    ack() {},
    body: { id: changeUuidTime(generateUuidv7(nowMs), nowMs), groups },
    retry() {
      throw new Error(`the demo visits could not be counted: ${queue}`);
    },
  };
  return { queue, messages: [message], ackAll() {}, retryAll: message.retry } as unknown as MessageBatch<
    Window<Facts>
  >;
}
