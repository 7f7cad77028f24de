import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { executeStatements } from "../../src/cli/admin-database.ts";
import { buildDashboard } from "../../src/cli/dashboard-bundle.ts";
import { closeDatabases } from "../../src/cli/local-databases.ts";
import { migrateState } from "../../src/cli/local-migrations.ts";
import { StateFolder } from "../../src/cli/state.ts";

/** Tests what starts of the service cache for later starts. */

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

test("the dashboard is bundled again if one of its sources has changed", async () => {
  await buildDashboard();
  const record = join(import.meta.dirname, "../../node_modules/.cache/signpost/dashboard.json");
  const text = readFileSync(record, "utf8");
  const source = '"src/dashboard/main.tsx":"';
  expect(text).toContain(source);
  writeFileSync(record, text.replace(source, `${source}0`));
  await buildDashboard();
  expect(readFileSync(record, "utf8")).toBe(text);
});
