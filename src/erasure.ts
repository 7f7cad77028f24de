import { eraseDeletedSeries } from "./analytics/deleted-series.ts";
import { eraseSeries } from "./analytics/erase-series.ts";
import { eraseAssets } from "./assets/sweep.ts";
import { eraseKeys } from "./auth/erase-keys.ts";
import { erasePages } from "./bio/page-removal.ts";
import { DAY_MS } from "./core/time.ts";
import { openDatabase } from "./db/database.ts";
import { eraseIdempotencyKeys } from "./http/idempotency.ts";
import { eraseLinks } from "./links/link-writes.ts";
import { eraseTemplates } from "./qr/templates.ts";
import {
  type DeletedWorkspace,
  eraseDomains,
  eraseUsage,
  listDeletedWorkspaces,
  removeWorkspace,
} from "./tenant/deleted-workspaces.ts";
import { eraseEndpoints } from "./webhooks/erase-endpoints.ts";
import { eraseMembers } from "./workspace/members.ts";

/**
 * Time for which an empty workspace is kept. Messages in the queues, and requests that were under way, may write rows of
 * it until then.
 */
const TOMBSTONE_MS = DAY_MS;
/** Maximum number of workspaces that one run works on, and of steps that it makes. */
const WORKSPACES_PER_RUN = 20;
const STEPS_PER_RUN = 200;

/**
 * Erases deleted workspaces in steps of some hundred rows each. The cron calls it each minute, until nothing is left. A
 * step that is repeated does no harm, so it does not matter where a run ends.
 */
export async function eraseDeletedWorkspaces(env: Env, nowMs: number): Promise<void> {
  const db = openDatabase(env.DB);
  let steps = STEPS_PER_RUN;
  for (const workspace of await listDeletedWorkspaces(db, WORKSPACES_PER_RUN)) {
    steps -= await eraseWorkspace(env, workspace, nowMs, steps);
    if (steps <= 0) return;
  }
}

/** Makes at most `stepsMax` steps to erase a workspace, and returns their number. */
async function eraseWorkspace(
  env: Env,
  { id, deletedAtMs }: DeletedWorkspace,
  nowMs: number,
  stepsMax: number,
): Promise<number> {
  const db = openDatabase(env.DB);
  let areFilesLeft = false;
  /** Each deletes some rows and returns their number. Endpoints come first, so that no events are sent any more. */
  const erasers: (() => Promise<number>)[] = [
    () => eraseEndpoints(db, env.ENDPOINT_HEALTH, id, nowMs),
    () => eraseKeys(db, id),
    () => eraseDomains(db, id),
    () => eraseLinks(db, id),
    () => eraseSeries(db, [id], nowMs),
    () => erasePages(db, id),
    () => eraseDeletedSeries(db, id, nowMs),
    () => eraseTemplates(db, id),
    async () => {
      const assets = await eraseAssets(db, id, nowMs);
      areFilesLeft = assets.areFilesLeft;
      return assets.deleted;
    },
    () => eraseMembers(db, id),
    () => eraseIdempotencyKeys(db, id),
    () => eraseUsage(db, id),
  ];
  let steps = 0;
  for (const erase of erasers) {
    do {
      if (steps === stepsMax) return steps;
      steps += 1;
    } while ((await erase()) > 0);
  }
  if (!areFilesLeft && nowMs - deletedAtMs >= TOMBSTONE_MS) {
    await env.LIMITER.getByName(id).erase();
    await removeWorkspace(db, id);
  }
  return steps;
}
