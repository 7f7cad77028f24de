import { formatEnd, formatLink, formatStart } from "../apply/write-links-file.ts";
import { callService } from "./api-call.ts";
import { type CommandContext, openClient } from "./command-context.ts";
import { readConfiguration } from "./configuration.ts";
import { walkLinks } from "./find-link.ts";
import { replaceFile } from "./replace-file.ts";

export const EXPORT_FORMATS = ["csv", "yaml", "json"] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const PAGE_ITEMS = 200;
/** Path of the JSON schema for files with links, on the service. */
const SCHEMA_PATH = "/docs/links.schema.json";

/**
 * Writes all links to standard output or to a file. Without a format, the file extension determines it; the
 * default is CSV.
 */
export async function exportLinks(
  context: CommandContext,
  output: string | undefined,
  format: ExportFormat | undefined,
): Promise<void> {
  const chosen = format ?? findFormat(output) ?? (context.isJson ? "json" : "csv");
  if (output === undefined || output === "-")
    return writeLinks(context, chosen, (text) => context.terminal.write(text));
  await replaceFile(output, (write) => writeLinks(context, chosen, write));
  context.terminal.note(`Exported to ${output}.\n`);
}

function findFormat(output = ""): ExportFormat | undefined {
  const [, ending] = /\.(csv|json|ya?ml)$/i.exec(output) ?? [];
  return ending?.toLowerCase().replace("yml", "yaml") as ExportFormat | undefined;
}

async function writeLinks(
  context: CommandContext,
  format: ExportFormat,
  write: (text: string) => void,
): Promise<void> {
  const client = openClient(context);
  if (format === "csv") return write(await callService(client.GET("/v1/links/export", { parseAs: "text" })));
  const { apiUrl } = readConfiguration(context.environment);
  let isFirst = true;
  for await (const link of walkLinks(client, { archived: "all", limit: PAGE_ITEMS })) {
    write((isFirst ? formatStart(format, apiUrl + SCHEMA_PATH) : "") + formatLink(format, link, isFirst));
    isFirst = false;
  }
  write((isFirst ? formatStart(format, apiUrl + SCHEMA_PATH) : "") + formatEnd(format, !isFirst));
}
