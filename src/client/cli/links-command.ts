import { type Command, Option } from "commander";
import { formatCount } from "../../core/format-count.ts";
import type { Schemas } from "../client.ts";
import { callService } from "./api-call.ts";
import { type CommandContext, openClient, writeList, writeResult } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { EXPORT_FORMATS, type ExportFormat, exportLinks } from "./export-links.ts";
import { findLink, walkLinks } from "./find-link.ts";
import { addLinkOptions, type LinkOptions, parseInteger, readLinkFields } from "./link-options.ts";
import { type Column, cleanText } from "./table.ts";

type Link = Schemas["Link"];

interface ListOptions {
  search?: string;
  label?: string;
  domain?: string;
  archived?: true;
  sort: "created_at" | "scan_count" | "last_scan_at";
  limit: number;
  all?: true;
}

const LISTED = 20;

const COLUMNS: readonly Column<Link>[] = [
  { title: "Short link", format: ({ short_url }) => short_url.replace(/^https?:\/\//, "") },
  { title: "Scans", format: ({ scan_count }) => String(scan_count), isNumber: true },
  { title: "Status", format: describeState },
  { title: "Destination", format: ({ destination }) => destination, isFlexible: true },
  { title: "Title", format: ({ title }) => title ?? "", isFlexible: true },
];

/** Adds `links` and its subcommands. Links are identified by ID, short code or short URL. */
export function addLinkCommands(program: Command, context: () => CommandContext): void {
  const links = program.command("links").description("list, create, change and delete short links");
  links
    .command("list")
    .description("list links, newest first")
    .option("--search <text>", "only links with this text in the short code, destination, title or labels")
    .option("--label <name>", "only links with this label")
    .option("--domain <host>", "only links whose destination is on this host")
    .option("--archived", "only archived links")
    .addOption(
      new Option("--sort <order>", "order")
        .choices(["created_at", "scan_count", "last_scan_at"])
        .default("created_at"),
    )
    .option("--limit <number>", "maximum number of links", parseInteger, LISTED)
    .option("--all", "list all links")
    .action((options: ListOptions) => listLinks(context(), options));
  links
    .command("get")
    .description("show one link")
    .argument("<link>", "ID, short code or short URL")
    .action((name: string) => getLink(context(), name));
  addLinkOptions(
    links
      .command("create")
      .description("create a link")
      .argument("<url>", "destination")
      .option("--slug <code>", "short code"),
  ).action((url: string, options: LinkOptions & { slug?: string }) => createLink(context(), url, options));
  addLinkOptions(
    links
      .command("update")
      .description("change a link")
      .argument("<link>", "ID, short code or short URL")
      .option("--url <url>", "destination")
      .option("--enable", "enable the link")
      .addOption(new Option("--disable", "disable the link").conflicts("enable"))
      .option("--archive", "archive the link")
      .addOption(new Option("--unarchive", "unarchive the link").conflicts("archive")),
  ).action((name: string, options: UpdateOptions) => updateLink(context(), name, options));
  links
    .command("delete")
    .description("move a link to the trash; its short URL stops working immediately")
    .argument("<link>", "ID, short code or short URL")
    .option("--yes", "skip the confirmation")
    .action((name: string, { yes }: { yes?: true }) => deleteLink(context(), name, yes === true));
  links
    .command("export")
    .description("export all links as CSV, or as a file for `signpost apply`")
    .option("-o, --output <file>", "output file; its extension sets the format (default: standard output)")
    .addOption(new Option("--format <format>", "output format (default: csv)").choices(EXPORT_FORMATS))
    .action(({ output, format }: { output?: string; format?: ExportFormat }) =>
      exportLinks(context(), output, format),
    );
}

interface UpdateOptions extends LinkOptions {
  url?: string;
  enable?: true;
  disable?: true;
  archive?: true;
  unarchive?: true;
}

async function listLinks(context: CommandContext, options: ListOptions): Promise<void> {
  const { search, label, domain, archived, sort, all } = options;
  const limit = all ? Number.POSITIVE_INFINITY : options.limit;
  const query = {
    ...(search !== undefined && { search }),
    ...(label !== undefined && { label }),
    ...(domain !== undefined && { domain }),
    ...(archived && { archived: "true" as const }),
    sort,
    limit: Math.max(1, Math.min(limit, 100)),
  };
  const links: Link[] = [];
  if (limit > 0) {
    for await (const link of walkLinks(openClient(context), query)) {
      links.push(link);
      if (links.length >= limit) break;
    }
  }
  if (links.length === 0)
    context.terminal.note("No links found. Create one with `signpost links create URL`.\n");
  writeList(context, links, COLUMNS);
}

async function getLink(context: CommandContext, name: string): Promise<void> {
  const link = await findLink(openClient(context), name);
  writeResult(context, link, describeLink(link));
}

async function createLink(
  context: CommandContext,
  url: string,
  { slug, ...options }: LinkOptions & { slug?: string },
): Promise<void> {
  const fields = await readLinkFields(options, context.terminal);
  const body = { url, ...(slug !== undefined && { custom_slug: slug }), ...fields } as Schemas["NewLink"];
  const { data, meta } = await callService(openClient(context).POST("/v1/links", { body }));
  for (const warning of meta.warnings ?? []) context.terminal.note(`Warning: ${warning}\n`);
  writeResult(context, data, data.short_url);
}

async function updateLink(context: CommandContext, name: string, options: UpdateOptions): Promise<void> {
  const { url, enable, disable, archive, unarchive, ...others } = options;
  const body = {
    ...(url !== undefined && { url }),
    ...((enable || disable) && { enabled: enable === true }),
    ...((archive || unarchive) && { archived: archive === true }),
    ...(await readLinkFields(others, context.terminal)),
  };
  if (Object.keys(body).length === 0)
    throw new CommandError("nothing to change; see `signpost links update --help`", EXIT.usage);
  const client = openClient(context);
  const { id } = await findLink(client, name);
  const { data } = await callService(
    client.PATCH("/v1/links/{link_id}", { params: { path: { link_id: id } }, body }),
  );
  writeResult(context, data, describeLink(data));
}

async function deleteLink(context: CommandContext, name: string, isSure: boolean): Promise<void> {
  const client = openClient(context);
  const link = await findLink(client, name);
  if (!isSure && !(await context.terminal.confirm(`Delete ${link.short_url}?`)))
    throw new CommandError("nothing was deleted; pass --yes to skip the confirmation", EXIT.usage);
  const { data } = await callService(
    client.DELETE("/v1/links/{link_id}", { params: { path: { link_id: link.id } } }),
  );
  writeResult(
    context,
    data,
    `Deleted ${link.short_url}. For 30 days, \`signpost trash restore ${link.id}\` brings it back.`,
  );
}

function describeLink(link: Link): string {
  const lines: [string, string | null][] = [
    ["Short link", link.short_url],
    ["Destination", link.destination],
    ["Title", link.title],
    ["Note", link.note],
    ["Labels", link.labels.join(", ") || null],
    ["Status", describeState(link)],
    ["Scans", `${link.scan_count}${link.last_scan_at === null ? "" : `, last ${link.last_scan_at}`}`],
    ["Rules", link.routing_rules.length === 0 ? null : String(link.routing_rules.length)],
    ["Starts", link.starts_at],
    ["Expires", link.expires_at],
    ["Limit", link.max_scans === null ? null : formatCount(link.max_scans, "scan")],
    ["Password", link.has_password ? "yes" : null],
    ["Created", link.created_at],
    ["ID", link.id],
  ];
  return lines
    .flatMap(([title, value]) => (value === null ? [] : [`${title.padEnd(12)}${cleanText(value)}`]))
    .join("\n");
}

/** Returns a link's status as in the dashboard. Statuses that affect visitors come before "archived". */
function describeState(link: Link): string {
  const nowMs = Date.now();
  if (!link.enabled) return "disabled";
  if (link.expires_at !== null && Date.parse(link.expires_at) <= nowMs) return "expired";
  if (link.max_scans !== null && link.scan_count >= link.max_scans) return "limit reached";
  if (link.starts_at !== null && Date.parse(link.starts_at) > nowMs) return "scheduled";
  return link.archived ? "archived" : "active";
}
