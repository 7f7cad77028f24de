import { eq, lte, sql } from "drizzle-orm";
import { logError } from "../core/log.ts";
import type { OutboundPolicy } from "../core/outbound.ts";
import { runConcurrently } from "../core/run-concurrently.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { rawQuery } from "../db/raw-query.ts";
import { announceStatus, type StatusChange, storeStatuses } from "../links/destination-status.ts";
import { type Link, links } from "../links/links.table.ts";
import { findLocations, type WorkspaceLocation } from "../tenant/locations.ts";
import { getWaitingCap, hasFeature } from "../tenant/plans.ts";
import type { Outbox } from "../webhooks/outbox.ts";
import { checkDestination } from "./check-destination.ts";
import { type Clock, RequestPace } from "./request-pace.ts";
import { type CheckResult, decideNext } from "./watch-state.ts";
import { watchedLinks } from "./watched-links.table.ts";

/** Bounds of a run: links, requests, and time until the last request starts. A request takes up to 10 seconds. */
const LINKS_MAX = 200;
const REQUESTS_MAX = 150;
const RUN_MS = 30 * SECOND_MS;
/** Number of hosts that are checked at the same time. A Worker has at most six open connections. */
const HOSTS_AT_ONCE = 4;
/** Links without a scan by a person in this time are no longer checked. */
const RECENT_MS = 7 * DAY_MS;
/** Time over which a run spreads the links of a host that it had no time for. */
const SPREAD_MS = HOUR_MS;

/** Shard and resources of a run. */
export interface Watch {
  directory: D1Database;
  outbox: Outbox;
  policy: OutboundPolicy;
  clock: Clock;
}

interface DueLink extends Pick<Link, "id" | "workspaceId" | "destination" | "enabled" | "lastScanAt"> {
  status: Link["destinationStatus"];
  failures: number;
}

/** Link with the time of its next check, and its new status if that was checked. */
interface NextCheck {
  link: DueLink;
  dueAt: number;
  failures: number;
  change: StatusChange | null;
}

/** Checks the destinations that are due on a shard, within the bounds of a run. */
export async function watchDestinations(watch: Watch): Promise<void> {
  const { directory, outbox, clock } = watch;
  const { db, nowMs } = outbox;
  const due = await selectDue(db, nowMs);
  if (due.length === 0) return;
  const locations = await findLocations(directory, [...new Set(due.map(({ workspaceId }) => workspaceId))]);
  const forgotten = due.filter(({ lastScanAt }) => (lastScanAt ?? 0) < nowMs - RECENT_MS);
  const recent = due.filter((link) => !forgotten.includes(link));
  const pace = new RequestPace(clock, { requestsMax: REQUESTS_MAX, endsAtMs: clock.now() + RUN_MS });
  const next: NextCheck[] = [];
  const byHost = Map.groupBy(recent, ({ destination }) => new URL(destination).hostname);
  await runConcurrently(byHost.values(), HOSTS_AT_ONCE, async (ofHost) => {
    next.push(...(await checkHost(ofHost, locations, watch, pace)));
  });
  await storeChanges(next, locations, outbox);
  const forget = db.delete(watchedLinks).where(
    inJson(
      watchedLinks.linkId,
      forgotten.map(({ id }) => id),
    ),
  );
  await db.batch([updateNext(db, next), forget]);
}

/** Checks links of one host one after another. Spreads those for which the run has no time left. */
async function checkHost(
  due: readonly DueLink[],
  locations: ReadonlyMap<string, WorkspaceLocation>,
  { outbox: { nowMs, shard }, policy }: Watch,
  pace: RequestPace,
): Promise<NextCheck[]> {
  const next: NextCheck[] = [];
  for (const [index, link] of due.entries()) {
    if (!isWatched(link, locations.get(link.workspaceId), shard)) {
      next.push({ link, dueAt: nowMs + DAY_MS, failures: 0, change: null });
      continue;
    }
    const result = await checkDestination(link.destination, policy, pace);
    if (result !== null) next.push(applyResult(link, result, nowMs));
    else {
      const delayMs = MINUTE_MS + Math.floor((SPREAD_MS * index) / due.length);
      next.push({ link, dueAt: nowMs + delayMs, failures: link.failures, change: null });
    }
  }
  return next;
}

/** Returns true if the plan includes checks, and the link redirects on this shard. */
function isWatched({ enabled }: DueLink, location: WorkspaceLocation | undefined, shard: number): boolean {
  if (location === undefined || !enabled) return false;
  const { plan, isMoving, isSuspended } = location;
  return location.shard === shard && !isMoving && !isSuspended && hasFeature(plan, "destinationWatch");
}

function applyResult(link: DueLink, result: CheckResult, nowMs: number): NextCheck {
  const { status, failures, dueAt } = decideNext(link, result, nowMs);
  const reason = result.status === "failed" ? result.reason : "";
  const { id, workspaceId, destination } = link;
  const change = status === link.status ? null : { id, workspaceId, destination, status, reason };
  return { link, dueAt, failures, change };
}

/** Stores new statuses. A link whose status can't be stored is checked again by the next run. */
async function storeChanges(
  next: NextCheck[],
  locations: ReadonlyMap<string, WorkspaceLocation>,
  outbox: Outbox,
): Promise<void> {
  const isEvent = ({ link, change }: NextCheck) =>
    change?.status === "broken" || (change?.status === "ok" && link.status === "broken");
  const silent = next.flatMap((check) => (check.change === null || isEvent(check) ? [] : [check.change]));
  await storeStatuses(outbox, silent);
  for (const check of next.filter(isEvent)) {
    const { change, link } = check as NextCheck & { change: StatusChange };
    const plan = locations.get(link.workspaceId)?.plan ?? "free";
    try {
      await announceStatus(outbox, change, getWaitingCap(plan));
    } catch (error) {
      logError(`the status of the destination of link ${link.id} could not be stored`, error);
      check.dueAt = outbox.nowMs;
      check.failures = link.failures;
    }
  }
}

/** Selects the links that are due first. */
function selectDue(db: Database, nowMs: number): Promise<DueLink[]> {
  const { id, workspaceId, destination, destinationStatus: status, enabled, lastScanAt } = links;
  return db
    .select({ id, workspaceId, destination, status, enabled, lastScanAt, failures: watchedLinks.failures })
    .from(watchedLinks)
    .innerJoin(links, eq(links.id, watchedLinks.linkId))
    .where(lte(watchedLinks.dueAt, nowMs))
    .orderBy(watchedLinks.dueAt)
    .limit(LINKS_MAX);
}

/**
 * Returns the statement that stores the next checks. Skips links whose destination has changed since the check: a
 * trigger has made them due again.
 */
function updateNext(db: Database, next: readonly NextCheck[]) {
  const rows = next.map(({ link, dueAt, failures }) => [link.id, link.destination, dueAt, failures]);
  return rawQuery(
    db,
    sql`update ${watchedLinks} set due_at = item.value ->> 2, failures = item.value ->> 3
          from json_each(${JSON.stringify(rows)}) as item
         where ${watchedLinks.linkId} = item.value ->> 0
           and exists (select 1 from ${links}
                        where ${links.id} = item.value ->> 0 and ${links.destination} = item.value ->> 1)`,
  );
}
