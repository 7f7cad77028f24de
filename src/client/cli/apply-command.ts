import { type Command, InvalidArgumentError } from "commander";
import { formatCount } from "../../core/format-count.ts";
import { password as passwordSchema } from "../../links/guard-fields.ts";
import { isReservedSlug } from "../../routing/short-code.ts";
import type { DesiredLink, Link } from "../apply/desired-link.ts";
import { type LinksPlan, listPasswordNeeds, planLinks } from "../apply/links-plan.ts";
import { readLinksFile } from "../apply/read-links-file.ts";
import { LinksFileError } from "../apply/source-tree.ts";
import { createSignpostClient, type SignpostClient } from "../client.ts";
import type { CommandContext } from "./command-context.ts";
import { type Environment, readConfiguration } from "./configuration.ts";
import { COLOURED, describePlan, PLAIN, serializePlan } from "./describe-plan.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { walkLinks } from "./find-link.ts";
import { openProgressBar } from "./progress-bar.ts";
import { readBytes } from "./read-file.ts";
import { type PlanResult, runPlan } from "./run-plan.ts";

/** Maximum file size: enough for ten times as many links as a large workspace has. */
const FILE_MAX_BYTES = 64 * 1_048_576;
/** Maximum number of file problems shown. */
const PROBLEMS_SHOWN = 20;
/** Maximum number of failed links shown. The JSON result lists all. */
const FAILURES_SHOWN = 50;
const PAGE_ITEMS = 200;
/**
 * Maximum retries of a call, and maximum wait before a retry. Both are large enough that a rate limit per
 * second or minute doesn't stop the command.
 */
const RETRIES = 8;
const WAIT_MAX_MS = 90_000;

interface ApplyOptions {
  dryRun?: true;
  exitCode?: true;
  prune?: true;
  yes?: true | number;
}

/** Adds the `apply` command. */
export function addApplyCommand(program: Command, context: () => CommandContext): void {
  program
    .command("apply")
    .description("make the workspace's links match a file; shows the plan and asks for confirmation")
    .argument("<file>", "YAML or JSON file, as written by `links export --format yaml`; - for standard input")
    .option("--dry-run", "show the plan without changing anything")
    .option("--exit-code", "with --dry-run, exit with 7 if anything would change")
    .option("--prune", "delete links that are not in the file; confirm their number with --yes")
    .option(
      "--yes [number]",
      "skip the confirmation; with --prune, the number of links to delete",
      parseCount,
    )
    .action((file: string, options: ApplyOptions) => apply(context(), file, options));
}

async function apply(context: CommandContext, file: string, options: ApplyOptions): Promise<void> {
  const isPruned = options.prune === true;
  if (typeof options.yes === "number" && !isPruned)
    throw new CommandError("a number after --yes is only allowed with --prune", EXIT.usage);
  const desired = parseFile(await readText(context, file), file);
  const client = createSignpostClient({
    ...readConfiguration(context.environment),
    retries: RETRIES,
    waitMaxMs: WAIT_MAX_MS,
  });
  const plan = planLinks(desired, await readLinks(client));
  const passwords = readPasswords(plan, file, context.environment);
  rejectReserved(plan, file);
  const changes = plan.created.length + plan.changed.length + (isPruned ? plan.absent.length : 0);
  showPlan(context, plan, options, changes);
  if (options.dryRun && options.exitCode && changes > 0)
    throw new CommandError("the workspace does not match the file", EXIT.different);
  if (options.dryRun || changes === 0) return;
  await confirm(context, plan, options);
  const bar = openProgressBar(context.terminal, "Applying");
  const onProgress = (done: number) => bar.update(done, changes);
  const result = await runPlan({ client, plan, isPruned, passwords, onProgress }).finally(bar.clear);
  report(context, plan, isPruned, result);
}

/** Reads a file, or standard input for `-`. Throws {@link CommandError} if it isn't UTF-8 or is too large. */
async function readText({ terminal }: CommandContext, file: string): Promise<string> {
  const bytes = await readBytes(file, terminal, FILE_MAX_BYTES);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw new CommandError(`${file} is not UTF-8 text; expected YAML or JSON`, EXIT.usage);
  }
}

function parseFile(text: string, file: string): DesiredLink[] {
  try {
    return readLinksFile(text);
  } catch (error) {
    if (!(error instanceof LinksFileError)) throw error;
    throw createFileError(
      error.problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`),
      file,
    );
  }
}

/** Returns the error for a file with problems. The error lists the first {@link PROBLEMS_SHOWN} of them. */
function createFileError(problems: readonly string[], file: string): CommandError {
  const shown = problems.slice(0, PROBLEMS_SHOWN);
  const rest = problems.length - shown.length;
  const count = formatCount(problems.length, "error");
  const details = rest > 0 ? [...shown, `… and ${rest} more`] : shown;
  return new CommandError(`${file} has ${count}; nothing was changed`, EXIT.usage, details);
}

async function readLinks(client: SignpostClient): Promise<Link[]> {
  const links: Link[] = [];
  for await (const link of walkLinks(client, { archived: "all", limit: PAGE_ITEMS })) links.push(link);
  return links;
}

/** Reads the passwords that the plan needs. Throws a {@link CommandError} that lists missing passwords. */
function readPasswords(plan: LinksPlan, file: string, environment: Environment): ReadonlyMap<string, string> {
  const passwords = new Map<string, string>();
  const problems = listPasswordNeeds(plan).flatMap(({ name: code, line, passwordVariable }) => {
    if (passwordVariable === null)
      return [`${file}:${line}: ${code} has no password yet; set \`password: { environment: NAME }\``];
    const password = environment[passwordVariable] ?? "";
    passwords.set(passwordVariable, password);
    if (password === "")
      return [`${file}:${line}: environment variable ${passwordVariable} (password of ${code}) is not set`];
    const issues = passwordSchema.safeParse(password).error?.issues ?? [];
    return issues.map(
      ({ message }) => `${file}:${line}: ${passwordVariable}, the password of ${code}, ${message}`,
    );
  });
  if (problems.length > 0) throw createFileError(problems, file);
  return passwords;
}

/** Throws a {@link CommandError} for links that can't be created because their code is reserved. */
function rejectReserved({ created }: LinksPlan, file: string): void {
  const problems = created
    .filter(({ code }) => code !== null && isReservedSlug(code))
    .map(({ code, line }) => `${file}:${line}: the short code ${code} is reserved`);
  if (problems.length > 0) throw createFileError(problems, file);
}

function showPlan(
  { terminal, environment, isJson }: CommandContext,
  plan: LinksPlan,
  { prune, dryRun }: ApplyOptions,
  changes: number,
): void {
  const isPruned = prune === true;
  if (isJson) {
    // If there are changes to make, the JSON is written later, together with the result.
    const isFinal = dryRun === true || changes === 0;
    const plain = { ...serializePlan(plan, isPruned), applied: null };
    if (isFinal) terminal.write(`${JSON.stringify(plain, null, 2)}\n`);
    return;
  }
  const isColoured = terminal.isOutputTerminal && !environment.NO_COLOR;
  terminal.write(describePlan(plan, isPruned, isColoured ? COLOURED : PLAIN));
  if (changes === 0) terminal.note("No changes.\n");
}

/**
 * Asks the user to confirm the changes, unless the options confirm them already. Throws a
 * {@link CommandError} if the changes aren't confirmed.
 */
async function confirm(
  { terminal }: CommandContext,
  plan: LinksPlan,
  { prune, yes }: ApplyOptions,
): Promise<void> {
  const deleted = prune ? plan.absent.length : 0;
  if (deleted > 0 || typeof yes === "number") {
    if (yes === deleted) return;
    const found = typeof yes === "number" ? `, not ${yes}` : "";
    const message = `nothing was changed; --prune would delete ${formatCount(deleted, "link")}${found}: confirm with --prune --yes ${deleted}`;
    throw new CommandError(message, EXIT.usage);
  }
  if (yes || (await terminal.confirm("Make these changes?"))) return;
  throw new CommandError("nothing was changed; pass --yes to skip the confirmation", EXIT.usage);
}

function report(
  { terminal, isJson }: CommandContext,
  plan: LinksPlan,
  isPruned: boolean,
  result: PlanResult,
): void {
  const { created, changed, deleted, failures, end } = result;
  if (isJson) {
    const { end: _, ...applied } = result;
    terminal.write(`${JSON.stringify({ ...serializePlan(plan, isPruned), applied }, null, 2)}\n`);
  }
  const parts = [`${created} created`, `${changed} changed`, ...(isPruned ? [`${deleted} deleted`] : [])];
  const done = `Done: ${parts.join(", ")}.`;
  if (failures.length === 0 && end === null) {
    if (!isJson) terminal.write(`${done}\n`);
    return;
  }
  const shown = failures
    .slice(0, FAILURES_SHOWN)
    .map(({ action, code, message }) => `${action} ${code}: ${message}`);
  const rest = failures.length - shown.length;
  const details = [
    ...shown,
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    done,
    "Run the command again to apply the rest.",
  ];
  const message =
    end === null ? `${formatCount(failures.length, "link")} could not be applied` : `stopped: ${end.message}`;
  throw new CommandError(message, end?.exitCode ?? EXIT.failed, details);
}

function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError("Must be the number of links to delete with --prune, or omitted.");
  return Number(text);
}
