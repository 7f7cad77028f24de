import { writeFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { isHexColour } from "../../core/colour.ts";
import { findContentWarning } from "../../qr/content-warning.ts";
import { FRAME_STYLES, FRAME_TEXT_DEFAULT, FRAME_TEXT_MAX_LENGTH } from "../../qr/frame-style.ts";
import type { Format } from "../../qr/image-size.ts";
import { formatCompactUrl } from "../../routing/compact-code.ts";
import { callService } from "./api-call.ts";
import { type CommandContext, openClient } from "./command-context.ts";
import { addContentOptions, type ContentOptions, readContent } from "./content-options.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { findLink } from "./find-link.ts";
import { parseInteger } from "./link-options.ts";
import { type CodesOptions, printCodes, readFrame, renderText } from "./print-codes.ts";
import { addPrintOptions } from "./print-options.ts";
import { cleanText } from "./table.ts";
import { drawForTerminal } from "./terminal-qr.ts";

interface QrOptions extends CodesOptions, ContentOptions {
  output?: string;
}

/** Adds the `qr` command. */
export function addQrCommand(program: Command, context: () => CommandContext): void {
  const command = program
    .command("qr")
    .description("show the QR code of a link, save it to a file, or print many codes")
    .argument("[link...]", "ID, short code or short URL")
    .option("-o, --output <file>", "output file; its extension sets the format; - for standard output")
    .addOption(new Option("--format <format>", "format").choices(["svg", "png", "pdf"]))
    .option("--width <pixels>", "image width", parseInteger)
    .option("--template <id>", "ID of a QR template")
    .addOption(new Option("--frame <style>", "frame with a call to action").choices(FRAME_STYLES))
    .option("--frame-text <text>", `text of the frame (default: ${FRAME_TEXT_DEFAULT})`, parseFrameText)
    .option("--frame-color <hex>", "colour of the frame, such as #0b5d51", parseColour)
    .option("--no-compact", "encode the short URL as it is shown, not in upper case")
    .action((names: string[], options: QrOptions) => runQr(context(), names, options));
  addPrintOptions(command);
  addContentOptions(command);
}

async function runQr(context: CommandContext, names: string[], options: QrOptions): Promise<void> {
  const { label, search, csv, zip, pdf, output } = options;
  const text = readContent(options);
  const isFiltered = label !== undefined || search !== undefined;
  const isMany = zip !== undefined || pdf !== undefined;
  if ([names.length > 0, isFiltered, csv !== undefined, text !== null].filter(Boolean).length !== 1)
    throw new CommandError(
      "name links, or pass --label, --search, --csv or a content such as --wifi",
      EXIT.usage,
    );
  if (zip !== undefined && pdf !== undefined)
    throw new CommandError("--zip and --pdf can't be combined", EXIT.usage);
  if (isMany && (output !== undefined || text !== null))
    throw new CommandError("--zip and --pdf are for links and rows; use --output for one code", EXIT.usage);
  if (isMany) return printCodes(context, names, options);
  if (text !== null)
    return writeQr(context, options, text, text, (format) => renderText(context, text, format, options));
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new CommandError("pass --zip FILE or --pdf FILE for many codes", EXIT.usage);
  const client = openClient(context);
  const { id: link_id, short_url, short_code } = await findLink(client, name);
  const { compact, width, template } = options;
  const frame = readFrame(options)?.frame;
  const content = compact ? formatCompactUrl(short_url, short_code) : short_url;
  return writeQr(context, options, content, short_url, async (format) => {
    const query = {
      format,
      compact,
      ...(width && { width }),
      ...(template && { template_id: template }),
      ...(frame && { frame_style: frame.style }),
      ...(frame?.text && { frame_text: frame.text }),
      ...(frame?.color && { frame_color: frame.color }),
    };
    const params = { path: { link_id }, query };
    return new Uint8Array(
      await callService(client.GET("/v1/links/{link_id}/qr", { params, parseAs: "arrayBuffer" })),
    );
  });
}

/** Shows a code in the terminal, or saves the file that `render` returns. */
async function writeQr(
  { terminal }: CommandContext,
  { output, format }: QrOptions,
  content: string,
  name: string,
  render: (format: Format) => Promise<Uint8Array>,
): Promise<void> {
  const warning = findContentWarning(content);
  if (warning !== null) terminal.note(`${warning.sentence}\n`);
  if (output === undefined && format === undefined) {
    if (!terminal.isOutputTerminal)
      throw new CommandError("pass --output FILE, or --format to write to standard output", EXIT.usage);
    return terminal.write(drawForTerminal(content));
  }
  const bytes = await render(format ?? parseFormat(output ?? ""));
  if (output === undefined || output === "-") return terminal.write(bytes);
  try {
    writeFileSync(output, bytes);
  } catch (error) {
    throw new CommandError(`${output} cannot be written: ${(error as NodeJS.ErrnoException).code}`);
  }
  terminal.note(`Saved the QR code of ${cleanText(name)} to ${output}.\n`);
}

function parseFrameText(text: string): string {
  if (text.trim() === "" || text.length > FRAME_TEXT_MAX_LENGTH)
    throw new InvalidArgumentError(`Must have 1 to ${FRAME_TEXT_MAX_LENGTH} characters.`);
  return text;
}

function parseColour(text: string): string {
  if (!isHexColour(text)) throw new InvalidArgumentError("Must be a hex colour such as #0b5d51.");
  return text;
}

function parseFormat(path: string): Format {
  const [, ending] = /\.(svg|png|pdf)$/i.exec(path) ?? [];
  if (ending === undefined)
    throw new CommandError(
      "the file name must end with .svg, .png or .pdf; otherwise pass --format",
      EXIT.usage,
    );
  return ending.toLowerCase() as Format;
}
