import { expect } from "vitest";
import { buildMoveRequest } from "../../src/cli/move-statements.ts";
import { getShard, listShards } from "../../src/db/shards.ts";
import { MOVE_TIMES, type MoveTimes } from "../../src/moves/move-run.ts";
import { moveWorkspaces } from "../../src/moves/move-workspaces.ts";
import { MOVED_TABLES } from "../../src/moves/moved-tables.ts";
import { ownedByWorkspace } from "../../src/moves/row-sql.ts";
import { type TestWorkspace, workerEnv } from "./harness.ts";

/** Times of a move in tests: a dead run is replaced immediately, and the source is emptied immediately. */
export const QUICK: MoveTimes = { ...MOVE_TIMES, leaseMs: 0, keepMs: 0 };

/** Returns the other of two shards. */
export function otherShard({ shardNumber }: Pick<TestWorkspace, "shardNumber">): number {
  return listShards(workerEnv).find((shard) => shard !== shardNumber) as number;
}

/** Requests the move of a workspace, as the command does. Returns true unless it is rejected. */
export async function requestMove({ slug }: TestWorkspace, toShard: number): Promise<boolean> {
  const { DIRECTORY } = workerEnv;
  const statements = buildMoveRequest(slug, toShard, Date.now()).map((statement) =>
    DIRECTORY.prepare(statement),
  );
  const [, requested] = await DIRECTORY.batch(statements);
  return requested?.results.length === 1;
}

/** Moves a workspace to the other shard, and returns it on that shard. */
export async function moveWorkspace(workspace: TestWorkspace, env: Env = workerEnv): Promise<TestWorkspace> {
  const toShard = otherShard(workspace);
  expect(await requestMove(workspace, toShard)).toBe(true);
  await moveWorkspaces(env, QUICK);
  expect(await readPhase(workspace)).toBe("done");
  return onShard(workspace, toShard);
}

/** Returns a workspace on the given shard. */
export function onShard(workspace: TestWorkspace, shardNumber: number): TestWorkspace {
  return { ...workspace, shardNumber, shard: getShard(workerEnv, shardNumber) };
}

/** Returns the phase of the last move of a workspace. */
export function readPhase({ id }: TestWorkspace): Promise<string | null> {
  return workerEnv.DIRECTORY.prepare(
    "SELECT phase FROM workspace_moves WHERE workspace_id = ? ORDER BY id DESC LIMIT 1",
  )
    .bind(id)
    .first<string>("phase");
}

/** Tables that triggers derive from others, by workspace. */
const DERIVED = ["link_labels"];

/** Reads all rows of a workspace on a shard, by table. `columns` replaces the columns of some tables. */
export async function readRows(
  { id }: TestWorkspace,
  shard: D1Database,
  columns: Record<string, string> = {},
): Promise<Record<string, unknown[]>> {
  const number = await workerEnv.DIRECTORY.prepare("SELECT number FROM workspaces WHERE id = ?")
    .bind(id)
    .first<number>("number");
  const owner = { id, number: number ?? 0 };
  const selects = [
    ...MOVED_TABLES.map((table) => ({
      name: table.name,
      condition: ownedByWorkspace(table, owner, table.name),
      order: table.key.map((column) => column.name).join(", "),
    })),
    ...DERIVED.map((name) => ({ name, condition: `workspace_id = '${id}'`, order: "1, 2, 3" })),
  ];
  const results = await shard.batch(
    selects.map(({ name, condition, order }) =>
      shard.prepare(`SELECT ${columns[name] ?? "*"} FROM ${name} WHERE ${condition} ORDER BY ${order}`),
    ),
  );
  return Object.fromEntries(selects.map(({ name }, index) => [name, results[index]?.results ?? []]));
}

/** Returns the number of rows of each non-empty table. */
export function countRows(rows: Record<string, unknown[]>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(rows).flatMap(([name, { length }]) => (length > 0 ? [[name, length]] : [])),
  );
}

/** Returns the triggers of moves on a shard. */
export async function listMoveTriggers(shard: D1Database): Promise<string[]> {
  const { results } = await shard
    .prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'move\\_%' ESCAPE '\\'")
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}
