import { CommandError } from "./command.ts";
import type { StateFolder } from "./state.ts";
import { runWrangler } from "./wrangler.ts";

/** Which database the admin command works on. */
export interface Deployment {
  /** State of the local start; null for the deployed database. */
  state: StateFolder | null;
  /** Named environment of wrangler.toml. */
  environment: string | undefined;
}

export type Row = Record<string, string | number | null>;

/** A statement broke a UNIQUE constraint; `columns` are its columns (`workspaces.slug`). */
export class ConstraintError extends CommandError {
  readonly columns: readonly string[];

  constructor(message: string, columns: readonly string[]) {
    super(message);
    this.columns = columns;
  }
}

const BUSY_TRIES = 5;
/** How the local database says so: it keeps some of its errors to itself. */
const BUSY = /database is locked|SQLITE_BUSY|internal error; reference/;

/** Runs statements in one transaction and answers with the rows of each. Throws {@link ConstraintError}. */
export async function execute(target: Deployment, statements: readonly string[]): Promise<Row[][]> {
  const command = ["d1", "execute", "DB", ...flags(target), "--json", "--command", statements.join(";\n")];
  for (let tries = 1; ; tries++) {
    const run = await runWrangler(command);
    if (run.ok) return JSON.parse(run.stdout).map((result: { results: Row[] }) => result.results);
    const message = messageOf(run.stdout, run.stderr);
    // The running service may hold the local file for the moment of a write.
    if (target.state !== null && BUSY.test(message) && tries < BUSY_TRIES) continue;
    const unique = /UNIQUE constraint failed: ([\w., ]+)/.exec(message);
    if (unique !== null) throw new ConstraintError(message, (unique[1] ?? "").split(", "));
    throw new CommandError(message);
  }
}

/** Brings the schema of the local database up to date. */
export async function migrate(target: Deployment): Promise<void> {
  const run = await runWrangler(["d1", "migrations", "apply", "DB", ...flags(target)]);
  if (!run.ok) throw new CommandError(`the migrations failed:\n${run.stdout}${run.stderr}`);
}

function flags({ state, environment }: Deployment): string[] {
  return [
    ...(state === null ? ["--remote"] : ["--local", "--persist-to", state.path]),
    ...(environment === undefined ? [] : ["--env", environment]),
  ];
}

/** With `--json` wrangler writes its error to stdout, as JSON or within its own decoration. */
function messageOf(stdout: string, stderr: string): string {
  try {
    const { error } = JSON.parse(stdout);
    return error?.notes?.[0]?.text ?? error?.text ?? stdout;
  } catch {
    return (stderr.trim() || stdout.trim()).replace(/^.*\[ERROR\]\s*/s, "");
  }
}
