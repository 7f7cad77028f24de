import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { executeStatements } from "../../src/cli/admin-database.ts";
import { closeDatabases } from "../../src/cli/local-databases.ts";
import { migrateState } from "../../src/cli/local-migrations.ts";
import { StateFolder } from "../../src/cli/state.ts";

/** Migrated databases, which the first start of the service caches for later ones. */

afterAll(() => closeDatabases());

/** Creates a state folder as a first start does. Returns the migrations listed in its directory. */
async function startFirst(state: StateFolder) {
  const deployment = { state, environment: undefined, shards: [0, 1] };
  await migrateState(state, deployment, state.beginStorage());
  return listMigrations(state);
}

async function listMigrations(state: StateFolder) {
  const deployment = { state, environment: undefined, shards: [0, 1] };
  const list = "SELECT name FROM d1_migrations ORDER BY id";
  return (await executeStatements(deployment, "DIRECTORY", [list])).flat();
}

test("first starts apply or copy the same migrations, and later starts apply missing migrations", async () => {
  const [one, other] = [1, 2].map(() => StateFolder.create(mkdtempSync(join(tmpdir(), "migrations-"))));
  const migrations = await startFirst(one as StateFolder);
  expect(migrations.length).toBeGreaterThan(1);
  expect(await startFirst(other as StateFolder)).toEqual(migrations);

  const state = other as StateFolder;
  const deployment = { state, environment: undefined, shards: [0, 1] };
  await executeStatements(deployment, "SHARD_1", ["DELETE FROM d1_migrations"]);
  // The last start had the same version, so the databases stay closed.
  await migrateState(state, deployment, false);
  state.save({ migrations: "an earlier version" });
  await expect(migrateState(state, deployment, false)).rejects.toThrow("the migrations of SHARD_1 failed");
});
