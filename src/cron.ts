import { sweepDeletedSeries } from "./analytics/deleted-series.ts";
import { sweepScans } from "./analytics/fold-months.ts";
import { recordCosts } from "./analytics/scan-costs.ts";
import { openBuckets } from "./assets/storage.ts";
import { sweepAssets } from "./assets/sweep.ts";
import { sweepDirectoryLog } from "./audit/directory-log.ts";
import { sweepShardLog } from "./audit/shard-log.ts";
import { continueNightlyBackup } from "./backup/nightly-backup.ts";
import { sweepSlugs } from "./bio/sweep-slugs.ts";
import { sweepHostChanges } from "./change-feed/sweep-host-changes.ts";
import { sweepTargetChanges } from "./change-feed/sweep-target-changes.ts";
import { logError } from "./core/log.ts";
import { MINUTE_MS } from "./core/time.ts";
import { sweepCountedSlices } from "./counting/counted-slices.ts";
import { type Database, openDatabase, openShard } from "./db/database.ts";
import { getShard, listShards } from "./db/shards.ts";
import { replayDeadLetters, sweepDeadLetters } from "./dead-letters/dead-letters.ts";
import { SYSTEM_CLOCK } from "./destination-watch/request-pace.ts";
import { watchDestinations } from "./destination-watch/watch-destinations.ts";
import { sweepClaims } from "./domains/sweep-claims.ts";
import { getSettings } from "./env.ts";
import { eraseDeletedWorkspaces } from "./erasure.ts";
import { sweepIdempotencyKeys } from "./http/idempotency-keys.ts";
import { sweepSessions } from "./members/sessions.ts";
import { sweepSignInLinks } from "./members/sign-in-links.ts";
import { moveWorkspaces } from "./moves/move-workspaces.ts";
import { sweepInvitations } from "./people/invitations.ts";
import { sweepBlockedHosts } from "./safety/sweep-blocked-hosts.ts";
import { sweepCounts } from "./status/request-counts.ts";
import { recordRun } from "./status/sweep-runs.ts";
import { sweepHeldNames } from "./tenant/held-names.ts";
import { buildOutboundPolicy } from "./tenant/own-hosts.ts";
import { sweepHostCopies, sweepUnsettledHosts } from "./tenant/sweep-hosts.ts";
import { sweepTrash } from "./trash/trash.ts";
import type { Outbox } from "./webhooks/outbox.ts";
import { resealSecrets } from "./webhooks/reseal.ts";
import { sweepDeliveries } from "./webhooks/sweep-deliveries.ts";

/**
 * Time limit for starting the next shard. The cron starts with a different shard each minute, so skipped
 * shards come first in a later run.
 */
const SHARDS_MS = 5 * MINUTE_MS;

/**
 * Checks destinations on one shard, a different one each minute, because no host may get requests from two runs at
 * the same time.
 */
async function watchShard(env: Env, nowMs: number, waitUntil: Outbox["waitUntil"]): Promise<void> {
  const settings = getSettings(env);
  if (!settings.watchesDestinations) return;
  const shards = listShards(env);
  const shard = shards[Math.floor(nowMs / MINUTE_MS) % shards.length] as number;
  const outbox = { ...openShard(env, shard), nowMs, deliveryQueue: env.DELIVERY_QUEUE, waitUntil };
  const policy = buildOutboundPolicy(settings, new Set());
  await watchDestinations({
    directory: env.DIRECTORY,
    outbox,
    policy,
    clock: SYSTEM_CLOCK,
  });
}

/**
 * Runs all periodic sweeps; called by the cron each minute. A failing sweep or shard doesn't stop the others.
 */
export async function sweep(env: Env, nowMs: number): Promise<void> {
  const woken: Promise<unknown>[] = [];
  const watching = watchAndRecord(env, nowMs, (promise) => void woken.push(promise));
  await Promise.all([sweepDirectory(env, nowMs), sweepShards(env, nowMs), watching]);
  await Promise.allSettled(woken);
}

async function watchAndRecord(...[env, nowMs, waitUntil]: Parameters<typeof watchShard>): Promise<void> {
  const succeeded = await settle({ watchDestinations: watchShard(env, nowMs, waitUntil) });
  await recordSuccess(openDatabase(env.DIRECTORY), "all", succeeded, nowMs);
}

async function sweepDirectory(env: Env, nowMs: number): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const shards = listShards(env).map((shard) => openShard(env, shard).db);
  const succeeded = await settle({
    sweepSlugs: sweepSlugs(
      directory,
      listShards(env).map((shard) => openShard(env, shard)),
      nowMs,
    ),
    sweepDeadLetters: sweepDeadLetters(directory, nowMs),
    replayDeadLetters: replayDeadLetters(directory, {
      scans: env.SCAN_QUEUE,
      "page-hits": env.PAGE_HIT_QUEUE,
      deliveries: env.DELIVERY_QUEUE,
    }),
    eraseDeletedWorkspaces: eraseDeletedWorkspaces(env, nowMs),
    moveWorkspaces: moveWorkspaces(env),
    sweepHostChanges: sweepHostChanges(directory, nowMs),
    sweepClaims: sweepClaims(directory, shards, getSettings(env), nowMs),
    sweepUnsettledHosts: sweepUnsettledHosts(directory, shards, nowMs),
    sweepHeldNames: sweepHeldNames(directory, nowMs),
    sweepDirectoryLog: sweepDirectoryLog(directory, nowMs),
    sweepSessions: sweepSessions(directory, nowMs),
    sweepSignInLinks: sweepSignInLinks(directory, nowMs),
    sweepInvitations: sweepInvitations(directory, nowMs),
    sweepCounts: sweepCounts(directory, nowMs),
    nightlyBackup: continueNightlyBackup(env, nowMs),
  });
  await recordSuccess(directory, "directory", succeeded, nowMs);
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
  const succeeded = await settle({
    sweepDeliveries: sweepDeliveries(on, env.DELIVERY_QUEUE, nowMs),
    sweepIdempotencyKeys: sweepIdempotencyKeys(on.db, nowMs),
    sweepCountedSlices: sweepCountedSlices(d1, nowMs).then((swept) => recordCosts(d1, { swept }, nowMs)),
    sweepScans: sweepScans(d1, nowMs),
    sweepDeletedSeries: sweepDeletedSeries(on.db, nowMs),
    sweepAssets: sweepAssets(on.db, openBuckets(env), nowMs),
    resealSecrets: resealSecrets(on.db, env),
    sweepHostCopies: sweepHostCopies(openDatabase(env.DIRECTORY), on.db),
    sweepBlockedHosts: sweepBlockedHosts(openDatabase(env.DIRECTORY), on.db),
    sweepTargetChanges: sweepTargetChanges(on.db, nowMs),
    sweepShardLog: sweepShardLog(on.db, nowMs),
    sweepTrash: sweepTrash(on.db, nowMs),
  });
  await recordSuccess(openDatabase(env.DIRECTORY), `shard ${shard}`, succeeded, nowMs);
}

/** Waits for all sweeps, logs those that failed, and returns the names of the others. */
async function settle(sweeps: Record<string, Promise<unknown>>): Promise<string[]> {
  const results = await Promise.allSettled(Object.values(sweeps));
  return Object.keys(sweeps).filter((name, index) => {
    const result = results[index];
    if (result?.status === "rejected") logError(`the sweep ${name} failed`, result.reason);
    return result?.status === "fulfilled";
  });
}

/** Records the sweeps that ended without an error, for the status. */
async function recordSuccess(
  directory: Database,
  scope: string,
  succeeded: readonly string[],
  nowMs: number,
): Promise<void> {
  await recordRun(directory, scope, succeeded, nowMs).catch((error) =>
    logError("the times of the sweeps were not recorded", error),
  );
}
