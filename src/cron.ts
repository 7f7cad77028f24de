import { sweepDeletedSeries } from "./analytics/deleted-series.ts";
import { sweepScans } from "./analytics/fold-months.ts";
import { recordCosts } from "./analytics/scan-costs.ts";
import { openBuckets } from "./assets/storage.ts";
import { sweepAssets } from "./assets/sweep.ts";
import { logError } from "./core/log.ts";
import { sweepCountedWindows } from "./counting/count.ts";
import { openDatabase } from "./db/database.ts";
import { replayDeadLetters, sweepDeadLetters } from "./dead-letters/dead-letters.ts";
import { eraseDeletedWorkspaces } from "./erasure.ts";
import { sweepIdempotencyKeys } from "./http/idempotency.ts";
import { resealSecrets } from "./webhooks/reseal.ts";
import { sweepDeliveries } from "./webhooks/sweep-deliveries.ts";

/** Runs the sweeps of every minute. A sweep that fails does not stop the others. */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB);
  const sweeps = await Promise.allSettled([
    sweepDeliveries(db, env.DELIVERY_QUEUE, nowMs),
    sweepIdempotencyKeys(db, nowMs),
    sweepCountedWindows(env.DB, nowMs).then((swept) => recordCosts(env.DB, { swept }, nowMs)),
    sweepScans(env.DB, nowMs),
    sweepDeletedSeries(db, nowMs),
    sweepAssets(db, openBuckets(env), nowMs),
    sweepDeadLetters(env.DB, nowMs),
    replayDeadLetters(env.DB, {
      scans: env.SCAN_QUEUE,
      "page-hits": env.PAGE_HIT_QUEUE,
      deliveries: env.DELIVERY_QUEUE,
    }),
    resealSecrets(db, env),
    eraseDeletedWorkspaces(env, nowMs),
  ]);
  for (const result of sweeps) {
    if (result.status === "rejected") logError("a sweep failed", result.reason);
  }
}
