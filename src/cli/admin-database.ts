import { CommandError } from "./command-error.ts";
import {
  type BoundStatement,
  migrateLocalDatabase,
  runLocalBatch,
  type StatementResult,
} from "./local-databases.ts";
import type { StateFolder } from "./state.ts";
import { extractErrorMessage, runWrangler } from "./wrangler.ts";

/** Deployment whose databases the admin command works on. */
export interface Deployment {
  /** State folder of the local service, or null for the databases on Cloudflare. */
  state: StateFolder | null;
  /** Environment of wrangler.toml. Undefined for the top level. */
  environment: string | undefined;
  /** Numbers of the shards, which are the databases with the data of the workspaces. */
  shards: readonly number[];
}

/** Binding of a database, as in wrangler.toml: the directory of all workspaces, or a shard. */
export type DatabaseName = "DIRECTORY" | `SHARD_${number}`;

/** Row of a result. Its keys are column names. */
export type Row = Record<string, string | number | null>;

/** Error thrown if a statement violates a UNIQUE constraint. */
export class ConstraintError extends CommandError {
  /**
   * Columns of the constraint, such as `workspaces.slug`. An index on an expression is shown as
   * `index 'its_name'`.
   */
  readonly columns: readonly string[];

  constructor(message: string, columns: readonly string[]) {
    super(message);
    this.columns = columns;
  }
}

/** Results of several statements. */
interface Execution {
  /** Rows of each statement. */
  rows: Row[][];
  /** Size of the database afterwards. */
  sizeBytes: number;
}

/**
 * Runs statements in one transaction of a database and returns the rows of each statement. Throws
 * {@link ConstraintError} if a statement violates a UNIQUE constraint, otherwise {@link CommandError}.
 */
export async function executeStatements(
  deployment: Deployment,
  database: DatabaseName,
  statements: readonly string[],
): Promise<Row[][]> {
  return (await executeMeasured(deployment, database, statements)).rows;
}

/** Like {@link executeStatements}, but also returns the size of the database. */
export function executeMeasured(
  { state, environment }: Deployment,
  database: DatabaseName,
  statements: readonly string[],
): Promise<Execution> {
  if (state !== null) return executeLocally(state, database, statements);
  return explainErrors(() => executeRemotely(environment, database, statements));
}

/** Like {@link executeMeasured}, for a local database. Statements may have parameters. */
export function executeLocally(
  state: StateFolder,
  database: DatabaseName,
  statements: readonly (string | BoundStatement)[],
): Promise<Execution> {
  return explainErrors(async () => parseResults(await runLocalBatch(state, database, statements)));
}

async function explainErrors(execute: () => Promise<Execution>): Promise<Execution> {
  try {
    return await execute();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const unique = /UNIQUE constraint failed: ([\w., ']+)/.exec(message);
    if (unique !== null) throw new ConstraintError(message, (unique[1] ?? "").split(", "));
    throw new CommandError(message);
  }
}

async function executeRemotely(
  environment: string | undefined,
  database: DatabaseName,
  statements: readonly string[],
): Promise<Execution> {
  const command = ["d1", "execute", database, ...buildFlags(environment), "--json", "--command"];
  const run = await runWrangler([...command, statements.join(";\n")]);
  if (!run.ok) throw new Error(extractErrorMessage(run));
  return parseResults(JSON.parse(run.stdout));
}

function parseResults(results: readonly StatementResult[]): Execution {
  return {
    rows: results.map(({ results: rows }) => rows),
    sizeBytes: results.at(-1)?.meta?.size_after ?? 0,
  };
}

/** Applies the pending migrations of all databases. Throws {@link CommandError} if one fails. */
export async function applyMigrations({ state, environment, shards }: Deployment): Promise<void> {
  for (const database of ["DIRECTORY", ...listShardNames({ shards })]) {
    try {
      if (state !== null) await migrateLocalDatabase(state, database);
      else await migrateRemotely(environment, database);
    } catch (error) {
      throw new CommandError(`the migrations of ${database} failed:\n${(error as Error).message}`);
    }
  }
}

async function migrateRemotely(environment: string | undefined, database: string): Promise<void> {
  const run = await runWrangler(["d1", "migrations", "apply", database, ...buildFlags(environment)]);
  if (!run.ok) throw new Error(`${run.stdout}${run.stderr}`);
}

/** Returns the bindings of the shards. */
export function listShardNames({ shards }: Pick<Deployment, "shards">): `SHARD_${number}`[] {
  return shards.map((shard): `SHARD_${number}` => `SHARD_${shard}`);
}

function buildFlags(environment: string | undefined): string[] {
  return ["--remote", ...(environment === undefined ? [] : ["--env", environment])];
}
