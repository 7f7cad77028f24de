import { sweepDeletedSeries } from "./analytics/deleted-series.ts";
import { sweepScans } from "./analytics/fold-months.ts";
import { recordCosts } from "./analytics/scan-costs.ts";
import { openBuckets } from "./assets/storage.ts";
import { sweepAssets } from "./assets/sweep.ts";
import { sweepDirectoryLog } from "./audit/directory-log.ts";
import { sweepShardLog } from "./audit/shard-log.ts";
import { sweepSlugs } from "./bio/sweep-slugs.ts";
import { sweepHostChanges } from "./change-feed/sweep-host-changes.ts";
import { sweepTargetChanges } from "./change-feed/sweep-target-changes.ts";
import { logError } from "./core/log.ts";
import { MINUTE_MS } from "./core/time.ts";
import { sweepCountedSlices } from "./counting/counted-slices.ts";
import { openDatabase, openShard } from "./db/database.ts";
import { getShard, listShards } from "./db/shards.ts";
import { replayDeadLetters, sweepDeadLetters } from "./dead-letters/dead-letters.ts";
import { sweepClaims } from "./domains/sweep-claims.ts";
import { getSettings } from "./env.ts";
import { eraseDeletedWorkspaces } from "./erasure.ts";
import { sweepIdempotencyKeys } from "./http/idempotency-keys.ts";
import { sweepSessions } from "./members/sessions.ts";
import { sweepSignInLinks } from "./members/sign-in-links.ts";
import { moveWorkspaces } from "./moves/move-workspaces.ts";
import { sweepBlockedHosts } from "./safety/sweep-blocked-hosts.ts";
import { sweepHeldNames } from "./tenant/held-names.ts";
import { sweepHostCopies, sweepUnsettledHosts } from "./tenant/sweep-hosts.ts";
import { resealSecrets } from "./webhooks/reseal.ts";
import { sweepDeliveries } from "./webhooks/sweep-deliveries.ts";

/**
 * Time limit for starting the next shard. The cron starts with a different shard each minute, so skipped
 * shards come first in a later run.
 */
const SHARDS_MS = 5 * MINUTE_MS;

/**
 * Runs all periodic sweeps; called by the cron each minute. A failing sweep or shard doesn't stop the others.
 */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  await Promise.all([sweepDirectory(env, nowMs), sweepShards(env, nowMs)]);
}

async function sweepDirectory(env: Env, nowMs: number): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const shards = listShards(env).map((shard) => openShard(env, shard).db);
  await settle([
    sweepSlugs(
      directory,
      listShards(env).map((shard) => openShard(env, shard)),
      nowMs,
    ),
    sweepDeadLetters(directory, nowMs),
    replayDeadLetters(directory, {
      scans: env.SCAN_QUEUE,
      "page-hits": env.PAGE_HIT_QUEUE,
      deliveries: env.DELIVERY_QUEUE,
    }),
    eraseDeletedWorkspaces(env, nowMs),
    moveWorkspaces(env),
    sweepHostChanges(directory, nowMs),
    sweepClaims(directory, shards, getSettings(env), nowMs),
    sweepUnsettledHosts(directory, shards, nowMs),
    sweepHeldNames(directory, nowMs),
    sweepDirectoryLog(directory, nowMs),
    sweepSessions(directory, nowMs),
    sweepSignInLinks(directory, nowMs),
  ]);
}

/** Sweeps shards one after another, starting with a different shard each minute. */
async function sweepShards(env: Env, nowMs: number): Promise<void> {
  const shards = listShards(env);
  const first = Math.floor(nowMs / MINUTE_MS) % shards.length;
  const endsAtMs = Date.now() + SHARDS_MS;
  for (const shard of [...shards.slice(first), ...shards.slice(0, first)]) {
    if (Date.now() >= endsAtMs) return;
    await sweepShard(env, shard, nowMs);
  }
}

async function sweepShard(env: Env, shard: number, nowMs: number): Promise<void> {
  const on = openShard(env, shard);
  const d1 = getShard(env, shard);
  await settle([
    sweepDeliveries(on, env.DELIVERY_QUEUE, nowMs),
    sweepIdempotencyKeys(on.db, nowMs),
    sweepCountedSlices(d1, nowMs).then((swept) => recordCosts(d1, { swept }, nowMs)),
    sweepScans(d1, nowMs),
    sweepDeletedSeries(on.db, nowMs),
    sweepAssets(on.db, openBuckets(env), nowMs),
    resealSecrets(on.db, env),
    sweepHostCopies(openDatabase(env.DIRECTORY), on.db),
    sweepBlockedHosts(openDatabase(env.DIRECTORY), on.db),
    sweepTargetChanges(on.db, nowMs),
    sweepShardLog(on.db, nowMs),
  ]);
}

/** Waits for all sweeps and logs those that failed. */
async function settle(sweeps: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(sweeps)) {
    if (result.status === "rejected") logError("a sweep failed", result.reason);
  }
}
