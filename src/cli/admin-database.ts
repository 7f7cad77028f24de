import { CommandError } from "./command.ts";
import type { StateFolder } from "./state.ts";
import { extractErrorMessage, runWrangler } from "./wrangler.ts";

/** Deployment whose database the admin command works on. */
export interface Deployment {
  /** State of the local start, or null for the deployed database. */
  state: StateFolder | null;
  /** Named environment of wrangler.toml. */
  environment: string | undefined;
}

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

/** Runs statements in one transaction and returns the rows of each. Throws {@link ConstraintError}. */
export async function executeStatements(
  deployment: Deployment,
  statements: readonly string[],
): Promise<Row[][]> {
  const command = [
    "d1",
    "execute",
    "DB",
    ...buildFlags(deployment),
    "--json",
    "--command",
    statements.join(";\n"),
  ];
  for (let tries = 1; ; tries++) {
    const run = await runWrangler(command);
    if (run.ok) return JSON.parse(run.stdout).map((result: { results: Row[] }) => result.results);
    const message = extractErrorMessage(run);
    // The running service locks the local file during a write.
    if (deployment.state !== null && BUSY.test(message) && tries < BUSY_TRIES_MAX) continue;
    const unique = /UNIQUE constraint failed: ([\w., ]+)/.exec(message);
    if (unique !== null) throw new ConstraintError(message, (unique[1] ?? "").split(", "));
    throw new CommandError(message);
  }
}

/** Applies the pending migrations. Throws {@link CommandError} with wrangler's output if one fails. */
export async function applyMigrations(deployment: Deployment): Promise<void> {
  const run = await runWrangler(["d1", "migrations", "apply", "DB", ...buildFlags(deployment)]);
  if (!run.ok) throw new CommandError(`the migrations failed:\n${run.stdout}${run.stderr}`);
}

function buildFlags({ state, environment }: Deployment): string[] {
  return [
    ...(state === null ? ["--remote"] : ["--local", "--persist-to", state.path]),
    ...(environment === undefined ? [] : ["--env", environment]),
  ];
}
