import { and, eq, sql } from "drizzle-orm";
import { splitBySize } from "../core/split.ts";
import { toIso } from "../core/time.ts";
import { uncounted } from "../counting/counted-slices.ts";
import { countOccurrences, type WorkspaceSlice } from "../counting/slices.ts";
import { openDatabase } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { prepareStatement } from "../db/raw-query.ts";
import type { ScanFacts } from "../scans/scan-facts.ts";
import type { WorkspaceLocation } from "../tenant/locations.ts";
import { getWaitingCap } from "../tenant/plans.ts";
import type { WakeUp } from "../webhooks/delivery-state.ts";
import type { EventData } from "../webhooks/events.ts";
import { subscribedTo } from "../webhooks/outbox.ts";
import { webhooks } from "../webhooks/webhooks.table.ts";
import {
  countSkipped,
  type EventWrite,
  generateIdPrefix,
  insertEvents,
  readWakeUps,
  writeDeliveries,
} from "../webhooks/write-events.ts";

type ScanSlice = WorkspaceSlice<ScanFacts, WorkspaceLocation>;

/** Maximum number of scans whose events one statement writes. */
const STEP_SCANS_MAX = 1_000;

/**
 * Returns the statements that write the `link.scanned` events of uncounted slices (groups of scans of one
 * workspace). They run in the batch that counts the slices. Returns no statements if no endpoint subscribes
 * to scans.
 *
 * No statement writes more than about a thousand rows, however many scans and endpoints there are: each event
 * is one row, and the fan-out of the webhooks later writes the deliveries that don't fit. Scans beyond the
 * backlog cap of a workspace's plan get no event, because exceeding the cap would violate a constraint and
 * fail the whole batch.
 */
export async function buildScanDeliveries(
  d1: D1Database,
  slices: readonly ScanSlice[],
  nowMs: number,
): Promise<D1PreparedStatement[]> {
  const subscribed = await findSubscribedWorkspaces(d1, slices);
  if (subscribed.size === 0) return [];
  return splitBySize(slices, countOccurrences, STEP_SCANS_MAX).flatMap((step) =>
    buildStep(d1, step, subscribed, nowMs),
  );
}

/** Returns the wake-ups that the statements selected, without duplicates. */
export function readScanWakeUps(results: readonly D1Result[]): WakeUp[] {
  const rows = results.flatMap(({ results }) => results as object[]);
  const wakeUps = readWakeUps(rows.filter((row) => "workspace_id" in row && "lane" in row));
  return [...new Map(wakeUps.map((wakeUp) => [`${wakeUp.workspaceId} ${wakeUp.lane}`, wakeUp])).values()];
}

async function findSubscribedWorkspaces(
  d1: D1Database,
  slices: readonly ScanSlice[],
): Promise<ReadonlySet<string>> {
  const scanned = new Set(slices.flatMap(({ groups }) => groups.map(({ facts }) => facts.workspaceId)));
  const found = await openDatabase(d1)
    .selectDistinct({ id: webhooks.workspaceId })
    .from(webhooks)
    .where(
      and(
        inJson(webhooks.workspaceId, [...scanned]),
        eq(webhooks.enabled, true),
        subscribedTo("link.scanned"),
      ),
    );
  return new Set(found.map(({ id }) => id));
}

function buildStep(
  d1: D1Database,
  slices: readonly ScanSlice[],
  subscribed: ReadonlySet<string>,
  nowMs: number,
): D1PreparedStatement[] {
  const groups = slices.flatMap(({ id, groups }) =>
    groups
      .filter(({ facts }) => subscribed.has(facts.workspaceId))
      .map(({ facts, timesMs }) => ({
        partId: id,
        workspaceId: facts.workspaceId,
        data: buildEventData(facts),
        times: timesMs.map(toIso),
      })),
  );
  const rows = sql`select json_set(item.value -> '$.data', '$.scanned_at', time.value) as data, time.value as timestamp,
                          row_number() over (order by time.value) as ordinal,
                          item.value ->> '$.workspaceId' as workspace_id
                     from json_each(${JSON.stringify(groups)}) as item
                    cross join json_each(item.value -> '$.times') as time
                    where ${sql.raw(uncounted("item.value ->> '$.partId'"))}`;
  const caps = slices.flatMap(({ location, groups }) =>
    groups.map(({ facts }) => [facts.workspaceId, getWaitingCap(location.plan)] as const),
  );
  const write: EventWrite = {
    type: "link.scanned",
    rows,
    recipients: sql`${inJson(webhooks.workspaceId, [...subscribed])} and ${subscribedTo("link.scanned")}`,
    idPrefix: generateIdPrefix(nowMs),
    caps: new Map(caps),
    isSkipping: true,
  };
  const db = openDatabase(d1);
  const statements = [
    countSkipped(nowMs, write),
    insertEvents(db, nowMs, write),
    ...writeDeliveries(db, nowMs, write),
  ];
  return statements.map((statement) => prepareStatement(d1, statement));
}

/**
 * Builds the data of a scan's event. The statement replaces the empty `scanned_at` with the time of each
 * scan.
 */
function buildEventData(scan: ScanFacts): EventData["link.scanned"] {
  return {
    link_id: scan.linkId,
    short_code: scan.shortCode,
    destination: scan.destination,
    scanned_at: "",
    country: scan.country,
    device: scan.device,
    os: scan.os,
    browser: scan.browser,
    referrer: scan.referrer,
    source: scan.source ?? "link",
  };
}
