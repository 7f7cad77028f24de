import { type Command, Option } from "commander";
import { toCodeKey } from "../../routing/short-code.ts";
import type { Schemas, SignpostClient } from "../client.ts";
import { ListError, listAll } from "../list-all.ts";
import { callService, explainFailure, explainResponse } from "./api-call.ts";
import { type CommandContext, openClient, writeList, writeResult } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { parseInteger } from "./link-options.ts";
import type { Column } from "./table.ts";

/** Deleted link, bio page or QR template. */
type Item = Schemas["Link"] | Schemas["BioPage"] | Schemas["QrTemplate"];

/** Type of items in the trash. */
interface ItemType {
  path: "/v1/links" | "/v1/bio/pages" | "/v1/qr/templates";
  /** Returns the texts that identify an item besides its ID, best first. */
  listNames: (item: never) => string[];
  restore: (client: SignpostClient, id: string, slug: string | undefined) => Promise<{ data: Item }>;
  erase: (client: SignpostClient, id: string) => Promise<{ data: object }>;
}

const permanent = { permanent: true } as const;

const TYPES = {
  links: {
    path: "/v1/links",
    listNames: (link: Schemas["Link"]) => [link.short_url, link.short_code],
    restore: (client, link_id, slug) =>
      callService(
        client.POST("/v1/links/{link_id}/restore", {
          params: { path: { link_id } },
          body: slug === undefined ? {} : { custom_slug: slug },
        }),
      ),
    erase: (client, link_id) =>
      callService(client.DELETE("/v1/links/{link_id}", { params: { path: { link_id }, query: permanent } })),
  },
  pages: {
    path: "/v1/bio/pages",
    listNames: (page: Schemas["BioPage"]) => [page.html_url, page.slug],
    restore: (client, page_id, slug) =>
      callService(
        client.POST("/v1/bio/pages/{page_id}/restore", {
          params: { path: { page_id } },
          body: slug === undefined ? {} : { slug },
        }),
      ),
    erase: (client, page_id) =>
      callService(
        client.DELETE("/v1/bio/pages/{page_id}", { params: { path: { page_id }, query: permanent } }),
      ),
  },
  templates: {
    path: "/v1/qr/templates",
    listNames: (template: Schemas["QrTemplate"]) => [template.name],
    restore: (client, template_id) =>
      callService(
        client.POST("/v1/qr/templates/{template_id}/restore", { params: { path: { template_id } } }),
      ),
    erase: (client, template_id) =>
      callService(
        client.DELETE("/v1/qr/templates/{template_id}", {
          params: { path: { template_id }, query: permanent },
        }),
      ),
  },
} satisfies Record<string, ItemType>;

type TypeName = keyof typeof TYPES;

interface Options {
  type: TypeName;
}

const LISTED = 20;

/** Adds `trash` and its subcommands. */
export function addTrashCommands(program: Command, context: () => CommandContext): void {
  const trash = program
    .command("trash")
    .description("list, restore and erase deleted links, pages and templates");
  const addType = (command: Command) =>
    command.addOption(
      new Option("--type <type>", "type of items")
        .choices(Object.keys(TYPES))
        .default("links" satisfies TypeName),
    );
  addType(trash.command("list"))
    .description("list deleted items, last deleted first; they are erased 30 days after their deletion")
    .option("--limit <number>", "maximum number of items", parseInteger, LISTED)
    .action((options: Options & { limit: number }) => listItems(context(), options));
  addType(trash.command("restore"))
    .description("restore a deleted item")
    .argument("<item>", "ID, URL, short code of a link, slug of a page, or name of a template")
    .option("--slug <slug>", "new short code of the link, or new slug of the page, if the old one is taken")
    .action((name: string, options: Options & { slug?: string }) => restoreItem(context(), name, options));
  addType(trash.command("erase"))
    .description("erase a deleted item now; it can't be restored")
    .argument("<item>", "ID, URL, short code of a link, slug of a page, or name of a template")
    .option("--yes", "skip the confirmation")
    .action((name: string, options: Options & { yes?: true }) => eraseItem(context(), name, options));
}

function getType({ type }: Options): ItemType {
  return TYPES[type];
}

function getTitle({ listNames }: ItemType, item: Item): string {
  return listNames(item as never)[0] ?? item.id;
}

async function listItems(context: CommandContext, options: Options & { limit: number }): Promise<void> {
  const type = getType(options);
  const items: Item[] = [];
  for await (const item of walkTrash(openClient(context), type)) {
    if (items.length >= options.limit) break;
    items.push(item);
  }
  if (items.length === 0) context.terminal.note(`The trash has no ${options.type}.\n`);
  const columns: Column<Item>[] = [
    { title: "Item", format: (item) => getTitle(type, item), isFlexible: true },
    { title: "Deleted", format: ({ deleted_at }) => deleted_at ?? "" },
    { title: "Erased after", format: ({ erase_at }) => erase_at ?? "" },
    { title: "ID", format: ({ id }) => id },
  ];
  writeList(context, items, columns);
}

async function restoreItem(
  context: CommandContext,
  name: string,
  { slug, ...options }: Options & { slug?: string },
): Promise<void> {
  const type = getType(options);
  const client = openClient(context);
  const { id } = await findItem(client, type, name);
  const { data } = await type.restore(client, id, slug);
  writeResult(context, data, `Restored ${getTitle(type, data)}.`);
}

async function eraseItem(
  context: CommandContext,
  name: string,
  { yes, ...options }: Options & { yes?: true },
): Promise<void> {
  const type = getType(options);
  const client = openClient(context);
  const item = await findItem(client, type, name);
  const title = getTitle(type, item);
  if (!yes && !(await context.terminal.confirm(`Erase ${title} permanently?`)))
    throw new CommandError("nothing was erased; pass --yes to skip the confirmation", EXIT.usage);
  const { data } = await type.erase(client, item.id);
  writeResult(context, data, `Erased ${title}.`);
}

/** Finds the item that was deleted last among those with this ID or name. */
async function findItem(client: SignpostClient, type: ItemType, name: string): Promise<Item> {
  for await (const item of walkTrash(client, type)) {
    const names = [item.id, ...type.listNames(item as never)];
    if (names.some((each) => toCodeKey(each) === toCodeKey(name))) return item;
  }
  throw new CommandError(`nothing in the trash is called ${name}`, EXIT.missing);
}

/** Iterates over the trash, page by page. Throws a {@link CommandError} if a page can't be read. */
async function* walkTrash(client: SignpostClient, { path }: ItemType): AsyncGenerator<Item> {
  try {
    yield* listAll(client, path, { query: { deleted: true } });
  } catch (error) {
    if (error instanceof ListError) throw explainResponse(error.status, error.body);
    throw explainFailure(error);
  }
}
