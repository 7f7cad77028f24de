import { and, eq, isNull, lte, not, type SQL } from "drizzle-orm";
import { type SealKey, seal } from "../core/seal.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { isLockedByMove } from "../tenant/transits.ts";
import { idempotencyKeys as table } from "./idempotency.table.ts";

/** Time for which the first response is stored. */
const RETENTION_MS = DAY_MS;
/**
 * Time after which a request without a response counts as failed. Another request can then take over the key.
 */
export const HOLD_TIMEOUT_MS = 10 * SECOND_MS;

/** Attempt by a request to acquire an Idempotency-Key. */
export interface Claim {
  workspaceId: string;
  route: string;
  key: string;
  requestHash: string;
  requestId: string;
  createdAt: number;
}

/** Stored state of an Idempotency-Key. */
export type KeyRecord = typeof table.$inferSelect;

/**
 * Acquires a key if no request holds the key or the holding request has timed out. Returns the key's record,
 * whose `requestId` is the request that now holds the key.
 */
export async function claimKey(db: Database, claim: Claim): Promise<KeyRecord> {
  const { requestHash, requestId, createdAt: nowMs } = claim;
  const heldUntil = nowMs + HOLD_TIMEOUT_MS;
  const [, , [record]] = await db.batch([
    db.delete(table).where(and(recordByKey(claim), lte(table.createdAt, nowMs - RETENTION_MS))),
    db
      .insert(table)
      .values({ ...claim, firstRequestId: requestId, heldUntil })
      .onConflictDoUpdate({
        target: [table.workspaceId, table.route, table.key],
        set: { requestId, heldUntil },
        setWhere: and(
          isNull(table.status),
          lte(table.heldUntil, nowMs),
          eq(table.requestHash, requestHash),
        ) as SQL,
      }),
    db.select().from(table).where(recordByKey(claim)),
  ]);
  return record as KeyRecord;
}

/**
 * Releases a request's key. Stores the response or, if there is none, lets the next request with the key run
 * as a retry. Returns the key's record if another request has taken the key over, otherwise null. Idempotent.
 */
export async function endHold(
  db: Database,
  claim: Claim,
  response: { status: number; sealedBody: string } | null,
): Promise<KeyRecord | null> {
  const outcome =
    response === null ? { heldUntil: 0 } : { status: response.status, body: response.sealedBody };
  const [, [record]] = await db.batch([
    db
      .update(table)
      .set(outcome)
      .where(and(recordByKey(claim), eq(table.requestId, claim.requestId))),
    db.select().from(table).where(recordByKey(claim)),
  ]);
  return record === undefined || record.requestId === claim.requestId ? null : record;
}

/** Seals (encrypts) a response body and binds it to its Idempotency-Key. */
export function sealBody(sealKey: SealKey, text: string, claim: Claim): Promise<string> {
  return seal(sealKey, text, buildAssociatedData(claim));
}

/** Returns the associated data that binds a sealed response to its key. */
export function buildAssociatedData({ workspaceId, route, key }: Claim): string {
  return JSON.stringify([workspaceId, route, key]);
}

function recordByKey({ workspaceId, route, key }: Claim): SQL | undefined {
  return and(eq(table.workspaceId, workspaceId), eq(table.route, route), eq(table.key, key));
}

/** Deletes some keys of a workspace and returns their number. */
export function eraseIdempotencyKeys(db: Database, workspaceId: string): Promise<number> {
  return deleteSome(
    db,
    table,
    [table.workspaceId, table.route, table.key],
    eq(table.workspaceId, workspaceId),
  );
}

/** Deletes expired keys. Called by the cron. */
export async function sweepIdempotencyKeys(db: Database, nowMs: number): Promise<void> {
  await db
    .delete(table)
    .where(and(lte(table.createdAt, nowMs - RETENTION_MS), not(isLockedByMove(table.workspaceId))));
}
