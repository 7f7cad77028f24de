import { beforeAll, expect, test, vi } from "vitest";
import { executeStatements } from "../../src/cli/admin-database.ts";
import { createWorkspace } from "../../src/cli/workspace-creation.ts";
import { deleteWorkspace } from "../../src/cli/workspace-deletion.ts";
import { moveWorkspace } from "../../src/cli/workspace-move.ts";
import { useAdminDatabases } from "./support/admin-databases.ts";
import { runProgram } from "./support/run-program.ts";

/** Tests `workspace move` without a service that performs the move. */

const deployment = useAdminDatabases();

beforeAll(async () => {
  for (const slug of ["acme", "gone", "moving"]) {
    await createWorkspace(deployment, {
      slug,
      name: slug,
      plan: "pro",
      description: "",
      hostname: `${slug}.localhost`,
      shard: 0,
    });
  }
  await deleteWorkspace(deployment, "gone", true);
});

function listMoves(): Promise<unknown[][]> {
  return executeStatements(deployment, "DIRECTORY", ["SELECT * FROM workspace_moves"]);
}

test.each([
  ["an unknown workspace", "nobody", 1, "workspace nobody not found"],
  ["an unknown shard", "acme", 99, "--shard: shard 99 does not exist; must be one of 0, 1"],
  ["the shard that has it", "acme", 0, "workspace acme is already on shard 0"],
  ["a workspace that is being deleted", "gone", 1, "workspace gone is being deleted"],
])("workspace move rejects %s and changes nothing", async (_, slug, shard, message) => {
  await expect(moveWorkspace(deployment, slug, shard)).rejects.toThrow(message);
  expect(await listMoves()).toEqual([[]]);
});

test("a moving workspace can't be moved elsewhere or deleted; the command follows an unfinished move", async () => {
  const statement = (text: string) => executeStatements(deployment, "DIRECTORY", [text]);
  await statement(
    `INSERT INTO workspace_moves (workspace_id, from_shard, to_shard, phase, requested_at)
     SELECT id, 0, 1, 'copy', 1 FROM workspaces WHERE slug = 'moving'`,
  );
  const elsewhere = { ...deployment, shards: [0, 1, 2] };
  await expect(moveWorkspace(elsewhere, "moving", 2)).rejects.toThrow(
    "workspace moving is being moved to shard 1; wait until that move is complete",
  );
  await expect(deleteWorkspace(deployment, "moving", true)).rejects.toThrow(
    "workspace moving is being moved to another shard; try again when the move is complete",
  );
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  const following = moveWorkspace(deployment, "moving", 1);
  await vi.waitFor(() => expect(printed).toHaveBeenCalledWith("copying"), 10_000);
  await statement("UPDATE workspace_moves SET phase = 'done', moved_at = 1000");
  const result = await following;
  printed.mockRestore();
  expect(result).toMatchObject({
    workspace: "moving",
    from_shard: 0,
    shard: 1,
    moved_at: "1970-01-01T00:00:01.000Z",
  });
});

test("npm run admin requires --shard", async () => {
  const { stderr } = await runProgram("admin", "workspace", "move", "acme");
  expect(stderr).toContain("required option '--shard <number>' not specified");
});
