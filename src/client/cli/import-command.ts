import { type Command, Option } from "commander";
import { formatCount } from "../../core/format-count.ts";
import { createApiTarget } from "../import/api-target.ts";
import type { ImportTarget, TargetError } from "../import/import-target.ts";
import { CONFLICT_WAYS, type ImportPlan, type OnConflict } from "../import/plan-import.ts";
import { type CodesVerdict, formatVerdict, judgeCodes } from "../import/printed-codes.ts";
import { type ImportStop, type ImportSummary, type RowResult, runImport } from "../import/run-import.ts";
import { callService, toExitCode } from "./api-call.ts";
import { type CommandContext, openClient, writeList, writeResult } from "./command-context.ts";
import { CommandError, EXIT, type ExitCode } from "./exit-code.ts";
import { addFileOptions, type FileOptions, planFile, readFile } from "./import-file.ts";
import {
  describePlan,
  describeSummary,
  listPlanWarnings,
  PLAN_COLUMNS,
  presentPlanned,
  selectShown,
} from "./import-texts.ts";
import { openProgressBar } from "./progress-bar.ts";
import { openReportFile } from "./report-file.ts";
import { addVerifyCommand } from "./verify-command.ts";

interface ImportOptions extends FileOptions {
  dryRun?: true;
  onConflict: OnConflict;
  report?: string;
}

/** Maximum rows per state that a dry run shows on a terminal. */
const SHOWN_PER_STATE = 10;
/** Maximum rows without a link that are listed after an import. */
const NAMED_ROWS_MAX = 20;

/** Adds the `import` and `import verify` commands. */
export function addImportCommand(program: Command, context: () => CommandContext): void {
  const command = addFileOptions(program.command("import"))
    .description("import links exported from another service; run it again to continue where it stopped")
    .argument("<file>", "CSV or JSON file from the other service; - for standard input")
    .option("--dry-run", "show what would be imported without changing anything")
    .addOption(
      new Option(
        "--on-conflict <way>",
        "what to do if a short code is taken: skip the row, add a suffix such as -2, or import nothing",
      )
        .choices(CONFLICT_WAYS)
        .default("skip"),
    )
    .addOption(
      new Option("--report <file>", "write the result of every row to a .csv or .json file").conflicts(
        "dryRun",
      ),
    )
    // Keeps the options of `verify` separate from the options of `import`.
    .enablePositionalOptions()
    .action((path: string, options: ImportOptions) => importLinks(context(), path, options));
  addVerifyCommand(command, context);
}

async function importLinks(context: CommandContext, path: string, options: ImportOptions): Promise<void> {
  const { dryRun, onConflict, report } = options;
  const file = await readFile(context, path, options);
  const client = openClient(context);
  const target = createApiTarget(client);
  const plan = await planFile(context, target, file, onConflict);
  const usage = await callService(client.GET("/v1/workspace/usage")).catch(() => null);
  for (const warning of usage === null ? [] : listPlanWarnings(plan, usage.data))
    context.terminal.note(`signpost: ${warning}\n`);
  const verdict = judgeCodes(plan.rows);
  writeVerdict(context, verdict);
  if (dryRun) writePlan(context, plan, verdict);
  rejectConflicts(plan, verdict);
  if (!dryRun)
    await runPlan(context, target, plan, verdict, report === undefined ? null : openReportFile(report, path));
  const { lost } = verdict;
  const named = lost.map(({ line, reason }) => `line ${line}: ${reason}`);
  if (lost.length > 0)
    throw new CommandError(formatVerdict(verdict) ?? "", EXIT.lost, shorten(named, lost.length));
}

/** Writes whether all printed codes will keep working, in red if not. */
function writeVerdict({ terminal, environment }: CommandContext, verdict: CodesVerdict): void {
  const text = formatVerdict(verdict);
  if (text === null) return;
  const isRed = verdict.lost.length > 0 && terminal.isNoteTerminal && !environment.NO_COLOR;
  terminal.note(isRed ? `\u001b[31m${text}\u001b[39m\n` : `${text}\n`);
}

/** Writes a plan: all rows as JSON or into a pipe, only the first rows on a terminal. */
function writePlan(context: CommandContext, plan: ImportPlan, verdict: CodesVerdict): void {
  const { terminal, isJson } = context;
  if (isJson) {
    writeResult(context, { counts: plan.counts, codes: verdict, rows: plan.rows.map(presentPlanned) }, "");
    return;
  }
  const shown = terminal.isOutputTerminal
    ? selectShown(plan, SHOWN_PER_STATE)
    : plan.rows.map(presentPlanned);
  writeList(context, shown, PLAN_COLUMNS);
  const rest = plan.rows.length - shown.length;
  if (rest > 0) terminal.note(`… and ${formatCount(rest, "more row")}; use --json to see all\n`);
  terminal.note(`${describePlan(plan)}\n`);
}

/** Throws a {@link CommandError} if there are conflicts and `--on-conflict fail` is set. */
function rejectConflicts({ onConflict, counts, rows }: ImportPlan, { lost }: CodesVerdict): void {
  if (onConflict !== "fail" || counts.conflict === 0) return;
  const named = rows.flatMap((planned) =>
    planned.state === "conflict" ? [`line ${planned.row.line}: ${planned.reason}`] : [],
  );
  const found = counts.conflict === 1 ? "has a conflict" : "have conflicts";
  const message = `${counts.conflict} of ${formatCount(rows.length, "row")} ${found}, so nothing was imported`;
  const exitCode = lost.length > 0 ? EXIT.lost : EXIT.conflict;
  throw new CommandError(message, exitCode, shorten(named, counts.conflict));
}

async function runPlan(
  context: CommandContext,
  target: ImportTarget,
  plan: ImportPlan,
  verdict: CodesVerdict,
  report: { add(result: RowResult): void; close(): void } | null,
): Promise<void> {
  const { terminal } = context;
  const bar = openProgressBar(terminal, "Importing");
  const abort = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    bar.clear();
    terminal.note("signpost: finishing requests in progress; press Ctrl-C again to stop immediately\n");
    abort.abort();
  });
  const named: string[] = [];
  try {
    const summary = await runImport(target, plan, {
      signal: abort.signal,
      onResult(result) {
        report?.add(result);
        if (isNamed(result) && named.length < NAMED_ROWS_MAX)
          named.push(`line ${result.line}: ${result.reason}`);
      },
      onProgress: ({ done, total }) => bar.update(done, total),
    });
    bar.clear();
    writeResult(context, summary, describeSummary(summary));
    const failure = explainSummary(summary, named, verdict);
    if (failure !== null) throw failure;
  } finally {
    bar.clear();
    stopListening();
    report?.close();
  }
}

function isNamed({ state }: RowResult): boolean {
  return state === "conflict" || state === "faulty" || state === "failed";
}

/** Returns the error for an import that stopped or couldn't import some rows. Otherwise returns null. */
function explainSummary(
  { counts, stop }: ImportSummary,
  named: readonly string[],
  verdict: CodesVerdict,
): CommandError | null {
  const missing = counts.conflict + counts.faulty + counts.failed;
  const details = shorten(named, missing);
  if (stop !== null) return new CommandError(explainStop(stop), readStopCode(stop), details);
  if (missing === 0) return null;
  const rows = formatCount(missing, "row was", "rows were");
  return new CommandError(`${rows} not imported`, readFailureCode(counts, verdict), details);
}

/** Returns the exit code for rows that weren't imported. A lost code outweighs other failures. */
function readFailureCode({ faulty, failed }: ImportSummary["counts"], { lost }: CodesVerdict): ExitCode {
  if (lost.length > 0) return EXIT.lost;
  return faulty + failed > 0 ? EXIT.failed : EXIT.conflict;
}

const CONTINUE = "run the same command again to continue; no link is imported twice";
const CONTINUE_PERMITTED =
  "run the same command again once your key and plan allow it; no link is imported twice";

function explainStop(stop: ImportStop): string {
  if (stop.kind === "conflicts") return "rows have conflicts, so nothing was imported";
  if (stop.kind === "aborted") return `import stopped; ${CONTINUE}`;
  const { code, message } = explainRefusal(stop.error);
  return `${code}${message}; ${readStopCode(stop) === EXIT.refused ? CONTINUE_PERMITTED : CONTINUE}`;
}

function explainRefusal({ code, message }: TargetError): { code: string; message: string } {
  return { code: code === "" ? "" : `${code}: `, message: message.replace(/\.$/, "") };
}

function readStopCode(stop: ImportStop): ExitCode {
  if (stop.kind === "aborted") return EXIT.interrupted;
  if (stop.kind === "conflicts") return EXIT.conflict;
  return stop.error.code === "PLAN_LIMIT_EXCEEDED" ? EXIT.limited : toExitCode(stop.error.status);
}

/** Returns the first lines, followed by the number of remaining lines. */
function shorten(lines: readonly string[], total: number): string[] {
  const shown = lines.slice(0, NAMED_ROWS_MAX);
  return total > shown.length
    ? [...shown, `… and ${total - shown.length} more; use --report to write all`]
    : shown;
}
