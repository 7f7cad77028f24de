import { eraseDeletedSeries } from "./analytics/deleted-series.ts";
import { eraseSeries } from "./analytics/erase-series.ts";
import { eraseAssets } from "./assets/sweep.ts";
import { eraseKeys } from "./auth/erase-keys.ts";
import { erasePages } from "./bio/page-removal.ts";
import { eraseSlugs } from "./bio/slug-claims.ts";
import { logError } from "./core/log.ts";
import { DAY_MS, MINUTE_MS } from "./core/time.ts";
import { type Database, openDatabase, openShard } from "./db/database.ts";
import { listShards } from "./db/shards.ts";
import { eraseClaims } from "./domains/workspace-domains.ts";
import { eraseIdempotencyKeys } from "./http/idempotency-keys.ts";
import { eraseLinks } from "./links/link-writes.ts";
import { eraseMoves } from "./moves/move-workspaces.ts";
import { eraseScim } from "./people/erase-scim.ts";
import { eraseMembers } from "./people/members.ts";
import { eraseSessions } from "./people/sessions.ts";
import { eraseSignInLinks } from "./people/sign-in-links.ts";
import { eraseTemplates } from "./qr/templates.ts";
import {
  type DeletedWorkspace,
  listDeletedWorkspaces,
  removeWorkspace,
} from "./tenant/deleted-workspaces.ts";
import { eraseHosts } from "./tenant/host-copies.ts";
import { removeTenant } from "./tenant/tenants.ts";
import { eraseUsage } from "./tenant/usage.ts";
import { eraseEndpoints } from "./webhooks/erase-endpoints.ts";

/**
 * Time for which an empty workspace is kept. Messages in the queues, and requests that were under way, may write rows of
 * it until then.
 */
const TOMBSTONE_MS = DAY_MS;
/** Maximum number of workspaces that one run works on, and of steps that it makes which delete something. */
const WORKSPACES_PER_RUN = 20;
const STEPS_PER_RUN = 200;

/** Step of an erasure: deletes some rows and returns their number. */
type Eraser = () => Promise<number>;

/**
 * Erases deleted workspaces in steps of some hundred rows each. The cron calls it each minute, until nothing is left. A
 * step that is repeated does no harm, so it does not matter where a run ends. The workspaces share the steps of a run:
 * in each round, all that are not empty yet make as many. One that fails stops no other.
 */
export async function eraseDeletedWorkspaces(env: Env, nowMs: number): Promise<void> {
  const directory = openDatabase(env.DIRECTORY);
  const turn = Math.floor(nowMs / MINUTE_MS);
  let workspaces = await listDeletedWorkspaces(directory, WORKSPACES_PER_RUN, turn);
  let stepsLeft = STEPS_PER_RUN;
  while (workspaces.length > 0 && stepsLeft > 0) {
    const share = Math.ceil(stepsLeft / workspaces.length);
    const unfinished: DeletedWorkspace[] = [];
    for (const workspace of workspaces) {
      const { steps, isDone } = await tryErase(env, workspace, nowMs, share);
      stepsLeft -= steps;
      if (!isDone) unfinished.push(workspace);
    }
    workspaces = unfinished;
  }
}

/** Part of an erasure that was made. */
interface Progress {
  /** Number of steps that deleted something. */
  steps: number;
  /** True if this run can do no more. */
  isDone: boolean;
}

/** Does the same as {@link eraseWorkspace}. Never throws: the next run tries again what failed. */
async function tryErase(
  env: Env,
  workspace: DeletedWorkspace,
  nowMs: number,
  stepsMax: number,
): Promise<Progress> {
  try {
    return await eraseWorkspace(env, workspace, nowMs, stepsMax);
  } catch (error) {
    logError(`the erasure of workspace ${workspace.id} failed; the next run goes on`, error);
    return { steps: 0, isDone: true };
  }
}

/** Makes at most `stepsMax` steps to erase a workspace. Deletes it once it has been empty for {@link TOMBSTONE_MS}. */
async function eraseWorkspace(
  env: Env,
  { id, shard, deletedAtMs }: DeletedWorkspace,
  nowMs: number,
  stepsMax: number,
): Promise<Progress> {
  const directory = openDatabase(env.DIRECTORY);
  const { db } = openShard(env, shard);
  let areFilesLeft = false;
  const eraseFiles = async () => {
    const assets = await eraseAssets(db, id, nowMs);
    areFilesLeft = assets.areFilesLeft;
    return assets.deleted;
  };
  const erasers = [
    ...listShardErasers(env, db, id, nowMs),
    eraseFiles,
    ...listDirectoryErasers(env, directory, id),
  ];
  let steps = 0;
  for (const erase of erasers) {
    while ((await erase()) > 0) {
      steps += 1;
      if (steps >= stepsMax) return { steps, isDone: false };
    }
  }
  if (!areFilesLeft && nowMs - deletedAtMs >= TOMBSTONE_MS) {
    await env.LIMITER.getByName(id).erase();
    await removeTenant(db, id);
    await removeWorkspace(directory, id);
  }
  return { steps, isDone: true };
}

/** Returns the steps on the shard. Endpoints come first, so that no events are sent any more. */
function listShardErasers(env: Env, db: Database, id: string, nowMs: number): Eraser[] {
  return [
    () => eraseEndpoints(db, env.ENDPOINT_HEALTH, id, nowMs),
    () => eraseLinks(db, env.SCAN_GATE, id),
    () => eraseSeries(db, [id], nowMs),
    () => erasePages(db, id),
    () => eraseDeletedSeries(db, id, nowMs),
    () => eraseTemplates(db, id),
    () => eraseIdempotencyKeys(db, id),
    () => eraseUsage(db, id),
  ];
}

function listDirectoryErasers(env: Env, directory: Database, id: string): Eraser[] {
  const shards = listShards(env).map((shard) => openShard(env, shard).db);
  return [
    () => eraseKeys(directory, id),
    () => eraseClaims(directory, id),
    () => eraseHosts(directory, shards, id),
    () => eraseSlugs(directory, id),
    () => eraseSignInLinks(directory, id),
    () => eraseScim(directory, id),
    () => eraseSessions(directory, id),
    () => eraseMembers(directory, id),
    () => eraseMoves(env, directory, id),
  ];
}
