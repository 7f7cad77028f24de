import { openBuckets } from "./assets/storage.ts";
import { sweepAssets } from "./assets/sweep.ts";
import { sweepCountedWindows } from "./counting/count.ts";
import { openDatabase } from "./db/database.ts";
import { sweepIdempotencyKeys } from "./http/idempotency.ts";
import { sweepDeliveries } from "./webhooks/sweep-deliveries.ts";

/** Runs the sweeps of every minute. A sweep that fails does not stop the others. */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB);
  const sweeps = await Promise.allSettled([
    sweepDeliveries(db, env.DELIVERY_QUEUE, nowMs),
    sweepIdempotencyKeys(db, nowMs),
    sweepCountedWindows(env.DB, nowMs),
    sweepAssets(db, openBuckets(env), nowMs),
  ]);
  for (const result of sweeps) {
    if (result.status === "rejected") console.error("a sweep failed", result.reason);
  }
}
