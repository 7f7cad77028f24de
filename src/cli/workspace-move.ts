import { SECOND_MS, toIso } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { formatDeletedName } from "../tenant/deleted-name.ts";
import { type Deployment, executeStatements, type Row } from "./admin-database.ts";
import { CommandError } from "./command-error.ts";
import { closeDatabases } from "./local-databases.ts";
import { buildMoveLookup, buildMoveRequest, buildMoveStatus } from "./move-statements.ts";
import { queryRows } from "./records.ts";
import { sql } from "./sql.ts";
import { requireShard } from "./workspace-creation.ts";

/** Time between two reads of the progress. Longer for remote deployments: each read starts wrangler. */
const LOCAL_POLL_MS = 2 * SECOND_MS;
const REMOTE_POLL_MS = 5 * SECOND_MS;

/**
 * Maximum number of consecutive reads that may fail. Reads of the local database can fail while the service
 * locks the database to copy the workspace.
 */
const FAILURES_MAX = 20;

/** Text shown for each phase. */
const PHASES: Record<string, string> = {
  wanted: "waiting to start (within a minute)",
  copy: "copying",
  follow: "catching up with changes",
  fence: "pausing writes to copy the last changes",
  moved: "moved; old rows will be deleted in a few minutes",
  done: "done",
};

/**
 * Requests the move of a workspace to a shard, and waits until the service has finished it. If
 * interrupted, run it again to keep waiting. Throws {@link CommandError} without changing anything if the
 * workspace can't be moved.
 */
export async function moveWorkspace(deployment: Deployment, slug: string, shard: number) {
  requireShard(deployment, shard);
  const [, rows] = await executeStatements(
    deployment,
    "DIRECTORY",
    buildMoveRequest(slug, shard, Date.now()),
  );
  const id = Number(rows?.[0]?.id ?? (await findMove(deployment, slug, shard)));
  const move = await follow(deployment, id);
  return {
    workspace: slug,
    id: move.workspace_id,
    from_shard: move.from_shard,
    shard: move.to_shard,
    moved_at: toIso(Number(move.moved_at)),
  };
}

/** Returns the ID of the unfinished move to a shard. Throws {@link CommandError} if there is none. */
async function findMove(deployment: Deployment, slug: string, shard: number): Promise<number> {
  const [workspace] = await queryRows(deployment, buildMoveLookup(slug));
  if (workspace === undefined) throw await explainMissing(deployment, slug);
  const { id, to_shard: toShard } = workspace;
  if (id === null || id === undefined)
    throw new CommandError(`workspace ${slug} is already on shard ${shard}`);
  if (toShard !== shard) {
    throw new CommandError(
      `workspace ${slug} is being moved to shard ${toShard}; wait until that move is complete`,
    );
  }
  return Number(id);
}

async function explainMissing(deployment: Deployment, slug: string): Promise<CommandError> {
  const start = formatDeletedName(slug, 0).slice(0, -1);
  const deleted = await queryRows(
    deployment,
    sql`SELECT 1 FROM workspaces WHERE slug >= ${start} AND slug < ${`${start}a`}`,
  );
  return new CommandError(
    deleted.length > 0 ? `workspace ${slug} is being deleted` : `workspace ${slug} not found`,
  );
}

/** Reads the progress of a move until it is done. Prints each change to stderr. */
async function follow(deployment: Deployment, id: number): Promise<Row> {
  let printed = "";
  let failures = 0;
  for (;;) {
    const found = await queryRows(deployment, buildMoveStatus(id)).catch((error) => {
      failures += 1;
      if (failures > FAILURES_MAX) throw error;
      return null;
    });
    if (found !== null) {
      failures = 0;
      const [move] = found;
      if (move === undefined)
        throw new CommandError("the move was cancelled because the workspace was deleted");
      const line = String(move.progress || PHASES[String(move.phase)]);
      if (line !== printed) console.error(line);
      printed = line;
      if (move.phase === "done") return move;
    }
    // Allows a service to start.
    await closeDatabases();
    await sleep(deployment.state === null ? REMOTE_POLL_MS : LOCAL_POLL_MS);
  }
}
