import { CommandError } from "./command.ts";
import type { StateFolder } from "./state.ts";
import { runWrangler } from "./wrangler.ts";

/** Deployment whose databases the admin command works on. */
export interface Deployment {
  /** State of the local start, or null for the deployed databases. */
  state: StateFolder | null;
  /** Named environment of wrangler.toml. */
  environment: string | undefined;
  /** Numbers of its shards. */
  shards: readonly number[];
}

/** Binding of a database in wrangler.toml. */
export type DatabaseName = "DIRECTORY" | `SHARD_${number}`;

/** Row of a result, by column name. */
export type Row = Record<string, string | number | null>;

/** Error of a statement that broke a UNIQUE constraint. */
export class ConstraintError extends CommandError {
  /** Columns of the constraint, such as `workspaces.slug`. */
  readonly columns: readonly string[];

  constructor(message: string, columns: readonly string[]) {
    super(message);
    this.columns = columns;
  }
}

const BUSY_TRIES_MAX = 5;
/** Messages of a busy local database. Miniflare hides some of D1's errors behind an internal error. */
const BUSY = /database is locked|SQLITE_BUSY|internal error; reference/;

/** Results of statements. */
interface Execution {
  /** Rows of each statement. */
  rows: Row[][];
  /** Size of the database after them. */
  sizeBytes: number;
}

/** Runs statements in one transaction of a database and returns the rows of each. Throws {@link ConstraintError}. */
export async function executeStatements(
  deployment: Deployment,
  database: DatabaseName,
  statements: readonly string[],
): Promise<Row[][]> {
  return (await executeMeasured(deployment, database, statements)).rows;
}

/** Does the same as {@link executeStatements}, and returns the size of the database with the rows. */
export async function executeMeasured(
  deployment: Deployment,
  database: DatabaseName,
  statements: readonly string[],
): Promise<Execution> {
  const command = [
    "d1",
    "execute",
    database,
    ...buildFlags(deployment),
    "--json",
    "--command",
    statements.join(";\n"),
  ];
  for (let tries = 1; ; tries++) {
    const run = await runWrangler(command);
    if (run.ok) return parseExecution(run.stdout);
    const message = extractErrorMessage(run.stdout, run.stderr);
    // The running service locks the local file during a write.
    if (deployment.state !== null && BUSY.test(message) && tries < BUSY_TRIES_MAX) continue;
    const unique = /UNIQUE constraint failed: ([\w., ]+)/.exec(message);
    if (unique !== null) throw new ConstraintError(message, (unique[1] ?? "").split(", "));
    throw new CommandError(message);
  }
}

function parseExecution(stdout: string): Execution {
  const results = JSON.parse(stdout) as { results: Row[]; meta?: { size_after?: number } }[];
  return {
    rows: results.map(({ results: rows }) => rows),
    sizeBytes: results.at(-1)?.meta?.size_after ?? 0,
  };
}

/** Applies the pending migrations. Throws {@link CommandError} with wrangler's output if one fails. */
export async function applyMigrations(deployment: Deployment): Promise<void> {
  const names: DatabaseName[] = ["DIRECTORY", ...listShardNames(deployment)];
  await Promise.all(names.map((name) => applyMigrationsOf(deployment, name)));
}

async function applyMigrationsOf(deployment: Deployment, database: DatabaseName): Promise<void> {
  const run = await runWrangler(["d1", "migrations", "apply", database, ...buildFlags(deployment)]);
  if (!run.ok) throw new CommandError(`the migrations of ${database} failed:\n${run.stdout}${run.stderr}`);
}

/** Returns the bindings of the shards. */
export function listShardNames({ shards }: Deployment): `SHARD_${number}`[] {
  return shards.map((shard): `SHARD_${number}` => `SHARD_${shard}`);
}

function buildFlags({ state, environment }: Deployment): string[] {
  return [
    ...(state === null ? ["--remote"] : ["--local", "--persist-to", state.path]),
    ...(environment === undefined ? [] : ["--env", environment]),
  ];
}

/** Extracts the error of a failed run. With `--json`, wrangler writes it to stdout, as JSON or as text. */
function extractErrorMessage(stdout: string, stderr: string): string {
  try {
    const { error } = JSON.parse(stdout);
    return error?.notes?.[0]?.text ?? error?.text ?? stdout;
  } catch {
    return (stderr.trim() || stdout.trim()).replace(/^.*\[ERROR\]\s*/s, "");
  }
}
