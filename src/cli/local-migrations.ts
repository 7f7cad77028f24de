import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { applyMigrations, type Deployment, listShardNames } from "./admin-database.ts";
import { readLocalConfig } from "./local-config.ts";
import { closeStorage, findDatabaseFile, listMigrations } from "./local-databases.ts";
import { PROJECT, type StateFolder } from "./state.ts";

/**
 * Folder with migrated, empty databases, by version of the migrations. New state folders start with a
 * copy.
 */
const TEMPLATES = join(PROJECT, "node_modules/.cache/signpost/databases");

/**
 * Applies the pending migrations of a state folder. Doesn't open its databases if the last start applied
 * the same migrations. Calls `beforeUpdate` before it migrates existing databases.
 */
export async function migrateState(
  state: StateFolder,
  deployment: Deployment,
  isFirst: boolean,
  beforeUpdate = () => {},
): Promise<void> {
  if (isFirst) {
    await createDatabases(state, deployment);
  } else if (state.saved.migrations !== computeVersion()) {
    if (["DIRECTORY", ...listShardNames(deployment)].some((name) => hasPending(state, name))) beforeUpdate();
    await applyMigrations(deployment);
  }
  recordMigrations(state);
}

/** Returns true if an existing database lacks a migration. */
function hasPending(state: StateFolder, binding: string): boolean {
  const file = findDatabaseFile(state, binding);
  if (!existsSync(file)) return false;
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const applied = database
      .prepare("SELECT name FROM d1_migrations")
      .all()
      .map(({ name }) => name);
    return listMigrations(binding).some((name) => !applied.includes(name));
  } finally {
    database.close();
  }
}

/** Creates migrated, empty databases in the empty storage of a state folder. */
export async function createDatabases(state: StateFolder, deployment: Deployment): Promise<void> {
  const template = join(TEMPLATES, computeVersion());
  if (existsSync(template)) {
    cpSync(template, state.storage, { recursive: true });
  } else {
    await applyMigrations(deployment);
    await saveTemplate(state, template);
  }
}

/** Saves that all databases of a state folder have the current migrations. */
export function recordMigrations(state: StateFolder): void {
  state.save({ migrations: computeVersion() });
}

/**
 * Copies the databases to a template. The template appears in one step, because parallel starts may read
 * it.
 */
async function saveTemplate(state: StateFolder, template: string): Promise<void> {
  await closeStorage(state.storage);
  mkdirSync(TEMPLATES, { recursive: true });
  const part = mkdtempSync(`${template}.part-`);
  cpSync(state.storage, part, { recursive: true });
  try {
    renameSync(part, template);
  } catch {
    // A parallel start created the same template first.
    rmSync(part, { recursive: true });
  }
}

/** Returns a hash of everything that determines the empty databases. */
function computeVersion(): string {
  const hash = createHash("sha256").update(readFileSync(join(PROJECT, "package-lock.json")));
  for (const { database_id, migrations_dir } of readLocalConfig().d1_databases) {
    hash.update(`${database_id}\n`);
    for (const file of globSync(join(PROJECT, migrations_dir, "*.sql")).sort()) {
      hash.update(`${file}\n`).update(readFileSync(file));
    }
  }
  return hash.digest("hex").slice(0, 16);
}
