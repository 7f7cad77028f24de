import { formatCacheUrl } from "../../src/caching/data-centre.ts";
import { buildBan, buildBlock, buildBlockCopy, buildSuspension } from "../../src/cli/safety-statements.ts";
import { getShard, listShards } from "../../src/db/shards.ts";
import { getSettings } from "../../src/env.ts";
import { forgetAll } from "../../src/resolving/resolve.ts";
import { forgetSuspended } from "../../src/safety/suspended-workspaces.ts";
import { type TestWorkspace, workerEnv } from "./harness.ts";

/** Rows that `npm run admin` writes to stop and release links, workspaces and destinations. */

function runAll(d1: D1Database, statements: readonly string[]) {
  return d1.batch(statements.map((statement) => d1.prepare(statement)));
}

/** Suspends or resumes a workspace. */
export async function setSuspended({ slug }: TestWorkspace, isSuspended: boolean): Promise<void> {
  await runAll(workerEnv.DIRECTORY, buildSuspension(slug, isSuspended));
}

/** Bans or unbans a link. */
export async function setBanned({ shard }: TestWorkspace, linkId: string, isBanned: boolean): Promise<void> {
  await runAll(shard, buildBan(linkId, isBanned));
}

/** Blocks or unblocks a host in the directory, as an interrupted command does. */
export async function blockInDirectory(hostname: string, isBlocked: boolean): Promise<void> {
  await runAll(workerEnv.DIRECTORY, buildBlock(hostname, isBlocked));
}

/** Blocks or unblocks a host everywhere. */
export async function setBlocked(hostname: string, isBlocked: boolean): Promise<void> {
  await blockInDirectory(hostname, isBlocked);
  for (const shard of listShards(workerEnv)) {
    await runAll(getShard(workerEnv, shard), [buildBlockCopy(hostname, isBlocked)]);
  }
}

/** Acts as an isolate in another data centre, which has nothing in its caches. */
export async function moveElsewhere({ id, shardNumber, hostname }: TestWorkspace, ...codes: string[]) {
  forgetAll();
  forgetSuspended();
  const links = codes.map((code) => `${shardNumber}/${id}/${code}`);
  for (const key of [...links, `directory/${hostname}`, "suspended-workspaces"]) {
    await caches.default.delete(formatCacheUrl(getSettings(workerEnv), key));
  }
}
