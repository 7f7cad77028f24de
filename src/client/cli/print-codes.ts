import { setImmediate } from "node:timers/promises";
import { formatCount } from "../../core/format-count.ts";
import { findContentWarning } from "../../qr/content-warning.ts";
import type { DesignInput } from "../../qr/design.ts";
import type { FrameStyle } from "../../qr/frame-style.ts";
import type { Format } from "../../qr/image-size.ts";
import type { Schemas, SignpostClient } from "../client.ts";
import { decodeFile, IMPORT_MAX_BYTES } from "../import/file-text.ts";
import { ImportFormatError } from "../import/import-row.ts";
import { buildLogoRequest, extractLogo, NO_LOGO } from "../print/extract-logo.ts";
import { type PrintItem, PrintItemsError, readPrintItems, toPrintItem } from "../print/print-items.ts";
import { SheetError } from "../print/sheet-layout.ts";
import {
  type PrintDesign,
  PrintError,
  type PrintJob,
  type PrintOutput,
  renderCode,
  writeCodes,
} from "../print/write-codes.ts";
import { ZipTooLargeError } from "../print/zip-writer.ts";
import { callService } from "./api-call.ts";
import { type CommandContext, openClient } from "./command-context.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { findLink, walkLinks } from "./find-link.ts";
import { CODE_MM_DEFAULT, type PrintOptions, readOutput } from "./print-options.ts";
import { openProgressBar } from "./progress-bar.ts";
import { readBytes } from "./read-file.ts";
import { replaceFile } from "./replace-file.ts";

const PAGE_ITEMS = 200;
/** Codes between two pauses, in which Ctrl-C is noticed. */
const CODES_PER_PAUSE = 20;
const USAGE_ERRORS = [PrintError, SheetError, ZipTooLargeError, PrintItemsError, ImportFormatError];

/** Options for the selection and design of the codes. */
export interface CodesOptions extends PrintOptions {
  template?: string;
  frame?: FrameStyle;
  frameText?: string;
  frameColor?: string;
  compact: boolean;
}

/** Writes the codes of many links, or of the rows of a CSV file, as an archive or as sheets. */
export async function printCodes(
  context: CommandContext,
  links: readonly string[],
  options: CodesOptions,
): Promise<void> {
  const { terminal } = context;
  const output = readOutput(options, options.csv === undefined);
  const path = (output.kind === "zip" ? options.zip : options.pdf) as string;
  const abort = new AbortController();
  const stopListening = terminal.onInterrupt(() => abort.abort());
  const bar = openProgressBar(terminal, "Drawing");
  try {
    const items = await readItems(context, links, options, abort.signal);
    const job: PrintJob = {
      items,
      output,
      ...(await readDesign(context, options.template, options, output)),
      // A template that is named is for all codes.
      ...(options.template === undefined && {
        templates: await readOwnDesigns(context, items, options, output),
      }),
    };
    let done = 0;
    await replaceFile(path, (write) =>
      writeCodes(job, write, {
        onProgress(count) {
          done = count;
          bar.update(done, items.length);
        },
        async pause() {
          if (done % CODES_PER_PAUSE === 0) await setImmediate();
          if (abort.signal.aborted) throw createStop(`${done} of ${formatCount(items.length, "code")}`);
        },
      }),
    );
    bar.clear();
    for (const sentence of listWarnings(items)) terminal.note(`${sentence}\n`);
    terminal.note(`Saved ${formatCount(items.length, "code")} to ${path}.\n`);
  } catch (error) {
    throw explainError(error);
  } finally {
    bar.clear();
    stopListening();
  }
}

/** Renders the code of a text, without the service unless a template is used. */
export async function renderText(
  context: CommandContext,
  content: string,
  format: Format,
  options: CodesOptions,
): Promise<Uint8Array> {
  const { template, width, mm } = options;
  const output = {
    kind: "zip",
    format,
    name: "",
    widthPx: width ?? null,
    codeMm: mm ?? CODE_MM_DEFAULT,
  } as const;
  return renderCode(content, await readDesign(context, template, options, output), output).catch((error) => {
    throw explainError(error);
  });
}

function explainError(error: unknown): unknown {
  const isUsage = USAGE_ERRORS.some((kind) => error instanceof kind);
  return isUsage ? new CommandError((error as Error).message, EXIT.usage) : error;
}

function createStop(progress: string): CommandError {
  return new CommandError(`stopped after ${progress}; nothing was saved`, EXIT.interrupted);
}

async function readItems(
  context: CommandContext,
  names: readonly string[],
  { label, search, csv, compact }: CodesOptions,
  signal: AbortSignal,
): Promise<PrintItem[]> {
  if (csv !== undefined)
    return readPrintItems(decodeFile(await readBytes(csv, context.terminal, IMPORT_MAX_BYTES)), compact);
  const client = openClient(context);
  const items: PrintItem[] = [];
  for await (const link of readLinks(client, names, { label, search })) {
    items.push(toPrintItem(link, compact));
    if (signal.aborted) throw createStop("reading the links");
  }
  return items;
}

async function* readLinks(
  client: SignpostClient,
  names: readonly string[],
  { label, search }: { label: string | undefined; search: string | undefined },
): AsyncGenerator<Schemas["Link"]> {
  for (const name of names) yield await findLink(client, name);
  if (label === undefined && search === undefined) return;
  const filter = { ...(label !== undefined && { label }), ...(search !== undefined && { search }) };
  yield* walkLinks(client, { ...filter, limit: PAGE_ITEMS });
}

/** Returns the frame that the options describe as a member of a design, or null without one. */
export function readFrame({ frame: style, frameText: text, frameColor: color }: CodesOptions) {
  if (style !== undefined) return { frame: { style, text, color } };
  if (text === undefined && color === undefined) return null;
  throw new CommandError("--frame-text and --frame-color need --frame", EXIT.usage);
}

/** Reads the designs of links that have a template of their own. Deleted templates are left out. */
async function readOwnDesigns(
  context: CommandContext,
  items: readonly PrintItem[],
  options: CodesOptions,
  output: PrintOutput,
): Promise<Map<string, PrintDesign>> {
  const designs = new Map<string, PrintDesign>();
  for (const id of new Set(items.flatMap(({ templateId }) => templateId ?? []))) {
    try {
      designs.set(id, await readDesign(context, id, options, output));
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode !== EXIT.missing) throw error;
    }
  }
  return designs;
}

/** Reads a template's design, with its logo as the format needs it, and the frame of the options in place of its own. */
async function readDesign(
  context: CommandContext,
  template: string | undefined,
  options: CodesOptions,
  output: PrintOutput,
): Promise<PrintDesign> {
  const frame = readFrame(options);
  if (template === undefined) return { design: { ...frame }, logo: NO_LOGO };
  const client = openClient(context);
  const params = { path: { template_id: template } };
  const { data } = await callService(client.GET("/v1/qr/templates/{template_id}", { params }));
  const design: DesignInput = { ...(data.design as DesignInput), ...frame };
  const format = output.kind === "zip" ? output.format : "pdf";
  if (design.logo_url === undefined) return { design, logo: NO_LOGO };
  const body = buildLogoRequest(design, format);
  const image = await callService(client.POST("/v1/qr/generate", { body, parseAs: "arrayBuffer" }));
  return { design, logo: await extractLogo(new Uint8Array(image), design, format) };
}

/** Lists the warnings about the contents, each once. */
function listWarnings(items: readonly PrintItem[]): Set<string> {
  return new Set(items.flatMap(({ content }) => findContentWarning(content)?.sentence ?? []));
}
