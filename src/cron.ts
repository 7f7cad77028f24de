import { bucketsOf } from "./assets/storage.ts";
import { sweepAssets } from "./assets/sweep.ts";
import { sweepCountedWindows } from "./counting/count.ts";
import { openDatabase } from "./db/client.ts";
import { sweepIdempotencyKeys } from "./http/idempotency.ts";

/** What has to be done each minute. One sweep that fails does not keep the others from running. */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  const sweeps = await Promise.allSettled([
    sweepIdempotencyKeys(openDatabase(env.DB), nowMs),
    sweepCountedWindows(env.DB, nowMs),
    sweepAssets(openDatabase(env.DB), bucketsOf(env), nowMs),
  ]);
  for (const result of sweeps) {
    if (result.status === "rejected") console.error("a sweep failed", result.reason);
  }
}
