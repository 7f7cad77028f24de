import type { Command } from "commander";
import type { Schemas, SignpostClient } from "../client.ts";
import { ListError, listAll } from "../list-all.ts";
import { callService, explainFailure, explainResponse } from "./api-call.ts";
import { type CommandContext, openClient, writeList, writeResult } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { findLink } from "./find-link.ts";
import { parseInteger } from "./link-options.ts";
import type { Column } from "./table.ts";

type Report = Schemas["Report"];

interface ShareOptions {
  title?: string;
  label?: string;
  days: number;
  from?: string;
  to?: string;
  expiresAt?: string;
  password?: true;
}

const LISTED = 20;
const DAYS = 30;

/** Adds `reports` and its subcommands. */
export function addReportsCommands(program: Command, context: () => CommandContext): void {
  const reports = program.command("reports").description("share, list and revoke reports on links");
  reports
    .command("share")
    .description("share a page with the scans of links, or of a label, with everyone who has its URL")
    .argument("[links...]", "IDs, short codes or short URLs of up to 50 links")
    .option("--label <name>", "all links with this label, instead of links")
    .option("--title <text>", "title of the page (default: the label, or the first link)")
    .option("--days <number>", "number of days up to today", parseInteger, DAYS)
    .option("--from <date>", "first day, such as 2026-11-01, instead of --days")
    .option("--to <date>", "last day")
    .option("--expires-at <time>", "expiry time, such as 2026-12-01T08:00:00Z")
    .option(
      "--password",
      "protect the page with a password, entered at the prompt or piped to standard input",
    )
    .action((links: string[], options: ShareOptions) => share(context(), links, options));
  reports
    .command("list")
    .description("list shared reports, newest first")
    .option("--limit <number>", "maximum number of reports", parseInteger, LISTED)
    .action(({ limit }: { limit: number }) => list(context(), limit));
  reports
    .command("revoke")
    .description("revoke a report; its URL stops working immediately")
    .argument("<report>", "ID or URL of the report")
    .action((name: string) => revoke(context(), name));
}

async function share(context: CommandContext, names: string[], options: ShareOptions): Promise<void> {
  const { title, label, days, from, to, expiresAt, password } = options;
  if ((names.length === 0) === (label === undefined))
    throw new CommandError("name links, or a label with --label", EXIT.usage);
  if ((from === undefined) !== (to === undefined))
    throw new CommandError("--from and --to need each other", EXIT.usage);
  const client = openClient(context);
  const links = await Promise.all(names.map((name) => findLink(client, name)));
  const [first] = links;
  const body: Schemas["NewReport"] = {
    title: title ?? label ?? first?.title ?? `/${first?.short_code}`,
    ...(label === undefined ? { links: links.map(({ id }) => id) } : { label }),
    range: from === undefined || to === undefined ? { days } : { from_date: from, to_date: to },
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(password && { password: await context.terminal.readSecret("Report password: ") }),
  };
  const { data } = await callService(client.POST("/v1/reports", { body }));
  writeResult(context, data, data.url ?? data.id);
}

async function list(context: CommandContext, limit: number): Promise<void> {
  const items: Report[] = [];
  for await (const report of walkReports(openClient(context))) {
    if (items.length >= limit) break;
    items.push(report);
  }
  if (items.length === 0) context.terminal.note("There are no shared reports.\n");
  const columns: Column<Report>[] = [
    { title: "Report", format: ({ title }) => title, isFlexible: true },
    { title: "Expires", format: ({ expires_at }) => expires_at ?? "" },
    { title: "URL", format: ({ url }) => url ?? "" },
    { title: "ID", format: ({ id }) => id },
  ];
  writeList(context, items, columns);
}

async function revoke(context: CommandContext, name: string): Promise<void> {
  const client = openClient(context);
  for await (const { id, url, title } of walkReports(client)) {
    if (id !== name && url !== name) continue;
    const { data } = await callService(
      client.DELETE("/v1/reports/{report_id}", { params: { path: { report_id: id } } }),
    );
    return writeResult(context, data, `Revoked ${title}.`);
  }
  throw new CommandError(`no shared report has the ID or URL ${name}`, EXIT.missing);
}

/** Iterates over all reports, page by page. Throws a {@link CommandError} if a page can't be read. */
async function* walkReports(client: SignpostClient): AsyncGenerator<Report> {
  try {
    yield* listAll(client, "/v1/reports");
  } catch (error) {
    if (error instanceof ListError) throw explainResponse(error.status, error.body);
    throw explainFailure(error);
  }
}
