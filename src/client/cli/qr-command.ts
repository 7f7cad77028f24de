import { writeFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { findContentWarning } from "../../qr/content-warning.ts";
import { formatCompactUrl } from "../../routing/compact-code.ts";
import { callService } from "./api-call.ts";
import { type CommandContext, openClient } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { findLink } from "./find-link.ts";
import { parseInteger } from "./link-options.ts";
import { drawForTerminal } from "./terminal-qr.ts";

interface QrOptions {
  output?: string;
  format?: "svg" | "png" | "pdf";
  width?: number;
  template?: string;
  compact: boolean;
}

/** Adds the `qr` command. */
export function addQrCommand(program: Command, context: () => CommandContext): void {
  program
    .command("qr")
    .description("show the QR code of a link, or save it to a file")
    .argument("<link>", "ID, short code or short URL")
    .option("-o, --output <file>", "output file; its extension sets the format; - for standard output")
    .addOption(new Option("--format <format>", "format").choices(["svg", "png", "pdf"]))
    .option("--width <pixels>", "image width", parseInteger)
    .option("--template <id>", "ID of a QR template")
    .option("--no-compact", "encode the short URL as it is shown, not in upper case")
    .action((name: string, options: QrOptions) => writeQr(context(), name, options));
}

async function writeQr(context: CommandContext, name: string, options: QrOptions): Promise<void> {
  const client = openClient(context);
  const link = await findLink(client, name);
  const { output, width, template, compact } = options;
  const warning = findContentWarning(link.short_url);
  if (warning !== null) context.terminal.note(`${warning.sentence}\n`);
  if (output === undefined && options.format === undefined) {
    if (!context.terminal.isOutputTerminal)
      throw new CommandError("pass --output FILE, or --format to write to standard output", EXIT.usage);
    return context.terminal.write(
      drawForTerminal(compact ? formatCompactUrl(link.short_url, link.short_code) : link.short_url),
    );
  }
  const format = options.format ?? parseFormat(output ?? "");
  const query = { format, compact, ...(width && { width }), ...(template && { template_id: template }) };
  const data = await callService(
    client.GET("/v1/links/{link_id}/qr", {
      params: { path: { link_id: link.id }, query },
      parseAs: "arrayBuffer",
    }),
  );
  const bytes = new Uint8Array(data);
  if (output === undefined || output === "-") return context.terminal.write(bytes);
  try {
    writeFileSync(output, bytes);
  } catch (error) {
    throw new CommandError(`${output} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
  context.terminal.note(`Saved the QR code of ${link.short_url} to ${output}.\n`);
}

function parseFormat(path: string): "svg" | "png" | "pdf" {
  const [, ending] = /\.(svg|png|pdf)$/i.exec(path) ?? [];
  if (ending === undefined)
    throw new CommandError(
      "the file name must end with .svg, .png or .pdf; otherwise pass --format",
      EXIT.usage,
    );
  return ending.toLowerCase() as "svg" | "png" | "pdf";
}
