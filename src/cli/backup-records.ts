import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { ArchiveError } from "../backup/archive.ts";
import { RESUME_WEBHOOKS } from "../tenant/webhook-pause.ts";
import { type Deployment, executeStatements, listShardNames } from "./admin-database.ts";
import type { BackupCounts } from "./backup-create.ts";
import { CommandError } from "./command-error.ts";
import { createLocalBackup, restoreLocalBackup } from "./local-backup.ts";
import {
  createRemoteBackup,
  fetchRemoteBackup,
  listRemoteBackups,
  restoreRemoteBackup,
} from "./remote-backup.ts";

/** Commands that back up and restore an installation. */

const SECRETS_NOTE =
  "The backup has no secrets. Keep UPLOAD_SECRET and WEBHOOK_KEY (secrets.env in the data folder) separately.";

/** Writes everything to a new file. */
export async function createBackupFile(deployment: Deployment, file: string) {
  requireNew(file);
  const { state } = deployment;
  const work =
    state === null ? createRemoteBackup(deployment, file) : createLocalBackup({ ...deployment, state }, file);
  const counts = await explainErrors(work);
  console.error(SECRETS_NOTE);
  return { file: resolve(file), size: statSync(file).size, ...counts };
}

/** Lists the nightly backups of a deployment, oldest first. */
export async function listNightlyBackups(deployment: Deployment) {
  requireRemote(deployment);
  return listRemoteBackups(deployment);
}

/** Writes a nightly backup of a deployment to a new file. */
export async function fetchNightlyBackup(deployment: Deployment, day: string, file: string) {
  requireRemote(deployment);
  requireNew(file);
  const counts = await fetchRemoteBackup(deployment, day, file);
  return { file: resolve(file), size: statSync(file).size, ...counts };
}

function requireRemote({ state }: Deployment): void {
  if (state !== null) throw new CommandError("only deployments have nightly backups; add --remote");
}

function requireNew(file: string): void {
  if (existsSync(file)) throw new CommandError(`${resolve(file)} exists already`);
}

/** Restores a file into an empty installation. */
export async function restoreBackupFile(deployment: Deployment, file: string | undefined) {
  if (file === undefined) throw new CommandError("restore: name the file of the backup");
  const { state } = deployment;
  const work =
    state === null
      ? restoreRemoteBackup(deployment, file)
      : restoreLocalBackup({ ...deployment, state }, file);
  const counts = await explainErrors(work);
  console.error("Webhooks are paused. To send them: npm run admin -- backup restore --resume-webhooks");
  return { file: resolve(file), ...counts };
}

/** Sends the webhooks that have waited since a restore. The next cron runs wake them. */
export async function resumePausedWebhooks(deployment: Deployment) {
  let shards = 0;
  for (const shard of listShardNames(deployment)) {
    const [rows] = await executeStatements(deployment, shard, [RESUME_WEBHOOKS]);
    shards += rows?.length ?? 0;
  }
  return { resumed_shards: shards };
}

async function explainErrors(work: Promise<BackupCounts>): Promise<BackupCounts> {
  return work.catch((error) => {
    throw error instanceof ArchiveError ? new CommandError(error.message) : error;
  });
}
