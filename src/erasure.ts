import { eraseDeletedSeries } from "./analytics/deleted-series.ts";
import { eraseSeries } from "./analytics/erase-series.ts";
import { eraseAssets } from "./assets/sweep.ts";
import { eraseDirectoryLog } from "./audit/directory-log.ts";
import { eraseShardLog } from "./audit/shard-log.ts";
import { erasePages } from "./bio/page-removal.ts";
import { eraseSlugs } from "./bio/slug-claims.ts";
import { logError } from "./core/log.ts";
import { DAY_MS, MINUTE_MS } from "./core/time.ts";
import { type Database, openDatabase, openShard } from "./db/database.ts";
import { getShard } from "./db/shards.ts";
import { eraseClaims } from "./domains/workspace-domains.ts";
import { eraseIdempotencyKeys } from "./http/idempotency-keys.ts";
import { eraseKeys } from "./keys/erase-keys.ts";
import { eraseLinks } from "./links/link-writes.ts";
import { eraseMembers } from "./members/members.ts";
import { eraseSignInLinks } from "./members/sign-in-links.ts";
import { eraseMoves } from "./moves/move-workspaces.ts";
import { eraseInvitations } from "./people/invitations.ts";
import { eraseTemplates } from "./qr/templates.ts";
import { eraseReports } from "./reports/reports.ts";
import { erasePeopleTotals, eraseScim } from "./scim/erase-scim.ts";
import {
  type DeletedWorkspace,
  listDeletedWorkspaces,
  removeWorkspace,
} from "./tenant/deleted-workspaces.ts";
import { eraseHosts } from "./tenant/host-ownership.ts";
import { removeTenant } from "./tenant/tenants.ts";
import { removeTransit } from "./tenant/transits.ts";
import { eraseUsage } from "./tenant/usage.ts";
import { eraseTrash } from "./trash/trash.ts";
import { eraseEndpoints } from "./webhooks/erase-endpoints.ts";

/**
 * Time for which an emptied workspace's row is kept. Queued messages and running requests may still write
 * rows for the workspace until then.
 */
const TOMBSTONE_MS = DAY_MS;
/** Bounds of one run: workspaces, and steps that delete something. */
const WORKSPACES_PER_RUN = 20;
const STEPS_PER_RUN = 200;

/** Deletes one batch of rows and returns their number. */
type Eraser = () => Promise<number>;

/**
 * Erases deleted workspaces in steps of a few hundred rows. The cron calls this function each minute. Steps
 * are idempotent, so a run may stop anywhere. Workspaces share a run's steps: in each round, all unfinished
 * workspaces get the same number of steps. If one workspace fails, the others continue.
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

/** Result of one call of {@link eraseWorkspace}. */
interface Progress {
  /** Number of steps that deleted something. */
  steps: number;
  /** True if nothing is left to do in this run. */
  isDone: boolean;
}

/** Like {@link eraseWorkspace}, but logs errors instead of throwing them. The next run retries. */
async function tryErase(
  env: Env,
  workspace: DeletedWorkspace,
  nowMs: number,
  stepsMax: number,
): Promise<Progress> {
  try {
    return await eraseWorkspace(env, workspace, nowMs, stepsMax);
  } catch (error) {
    logError(`the erasure of workspace ${workspace.id} failed; the next run continues it`, error);
    return { steps: 0, isDone: true };
  }
}

/**
 * Runs up to `stepsMax` steps for a workspace. Deletes the workspace itself once it is empty and
 * {@link TOMBSTONE_MS} have passed since its deletion.
 */
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
    await removeTransit(getShard(env, shard), id);
    await removeTenant(db, id);
    await removeWorkspace(directory, id);
  }
  return { steps, isDone: true };
}

/** Returns the steps for the shard. Endpoints come first, so that no more events are sent. */
function listShardErasers(env: Env, db: Database, id: string, nowMs: number): Eraser[] {
  return [
    () => eraseEndpoints(db, env.ENDPOINT_HEALTH, id, nowMs),
    () => eraseLinks(db, env.SCAN_GATE, id),
    () => eraseSeries(db, [id], nowMs),
    () => erasePages(db, id),
    () => eraseTrash(db, id),
    () => eraseDeletedSeries(db, id, nowMs),
    () => eraseTemplates(db, id),
    () => eraseIdempotencyKeys(db, id),
    () => eraseUsage(db, id),
    () => eraseShardLog(db, id),
  ];
}

function listDirectoryErasers(env: Env, directory: Database, id: string): Eraser[] {
  return [
    () => eraseKeys(directory, id),
    () => eraseClaims(directory, id),
    () => eraseHosts(directory, id),
    () => eraseSlugs(directory, id),
    () => eraseSignInLinks(directory, id),
    () => eraseInvitations(directory, id),
    () => eraseReports(directory, id),
    () => eraseScim(directory, id),
    () => eraseMembers(directory, id),
    () => erasePeopleTotals(directory, id),
    () => eraseMoves(env, directory, id),
    () => eraseDirectoryLog(directory, id),
  ];
}
