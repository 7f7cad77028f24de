import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../db/database.ts";
import { releaseWaiting } from "./backlog.ts";
import { eventDeliveries, webhookLanes } from "./webhooks.table.ts";

/**
 * Maximum number of deliveries that one step changes or deletes. With their index entries and attempts, that
 * is about 1,000 rows.
 */
export const STEP_DELIVERIES = 500;

/** Fields that identify an endpoint's lane. */
interface Endpoint {
  id: string;
  workspaceId: string;
}

/** Returns the condition for the lane of an endpoint. A lane holds the endpoint's deliveries. */
function laneByEndpoint({ id, workspaceId }: Endpoint): SQL | undefined {
  return and(eq(webhookLanes.webhookId, id), eq(webhookLanes.workspaceId, workspaceId));
}

/** Returns the SQL expression for the id of an endpoint's lane. */
export function selectLane(endpoint: Endpoint): SQL {
  return sql`(select ${webhookLanes.id} from ${webhookLanes} where ${laneByEndpoint(endpoint)})`;
}

/** Returns the SQL expression for the current epoch of an endpoint's lane. */
export function selectEpoch(endpoint: Endpoint): SQL {
  return sql`(select ${webhookLanes.epoch} from ${webhookLanes} where ${laneByEndpoint(endpoint)})`;
}

/**
 * Returns the statement that closes a lane by starting a new epoch. Waiting deliveries of earlier epochs are
 * no longer attempted.
 */
export function closeLane(db: Database, endpoint: Endpoint) {
  return db
    .update(webhookLanes)
    .set({ epoch: sql`${webhookLanes.epoch} + 1` })
    .where(laneByEndpoint(endpoint));
}

/** Returns the statement that marks the lane of a deleted endpoint, so that the sweep deletes it. */
export function deleteLane(db: Database, endpoint: Endpoint, nowMs: number) {
  return db
    .update(webhookLanes)
    .set({ epoch: sql`${webhookLanes.epoch} + 1`, deletedAt: nowMs })
    .where(laneByEndpoint(endpoint));
}

/**
 * Returns the statements that fail up to {@link STEP_DELIVERIES} deliveries that were waiting when an
 * endpoint's lane was closed. The result of the second statement has the number of failed deliveries.
 */
export function failStale(db: Database, endpoint: Endpoint, nowMs: number) {
  const stale = sql`select delivery.lane, delivery.id from ${eventDeliveries} as delivery
                     where delivery.lane = ${selectLane(endpoint)} and delivery.epoch < ${selectEpoch(endpoint)}
                       and delivery.next_attempt_at is not null limit ${STEP_DELIVERIES}`;
  return [
    releaseWaiting(db, endpoint.workspaceId, sql`(select count(*) from (${stale}))`),
    db
      .update(eventDeliveries)
      .set({ status: "failed", failedAt: nowMs, nextAttemptAt: null })
      .where(sql`(${eventDeliveries.lane}, ${eventDeliveries.id}) in (${stale})`),
  ] as const;
}
