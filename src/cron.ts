import { sweepScans } from "./analytics/fold-months.ts";
import { openBuckets } from "./assets/storage.ts";
import { sweepAssets } from "./assets/sweep.ts";
import { sweepCountedWindows } from "./counting/count.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { sweepIdempotencyKeys } from "./http/idempotency.ts";
import { findOverdue, sweepDeliveries } from "./webhooks/due-deliveries.ts";
import { queueDeliveries } from "./webhooks/outbox.ts";

/** Runs the sweeps of every minute. A sweep that fails does not stop the others. */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB);
  const sweeps = await Promise.allSettled([
    requeueDeliveries(db, env, nowMs),
    sweepDeliveries(db, nowMs),
    sweepIdempotencyKeys(db, nowMs),
    sweepCountedWindows(env.DB, nowMs),
    sweepScans(env.DB, nowMs),
    sweepAssets(db, openBuckets(env), nowMs),
  ]);
  for (const result of sweeps) {
    if (result.status === "rejected") console.error("a sweep failed", result.reason);
  }
}

async function requeueDeliveries(db: Database, env: Env, nowMs: number): Promise<void> {
  await queueDeliveries(env.DELIVERY_QUEUE, await findOverdue(db, nowMs));
}
