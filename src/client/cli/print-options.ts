import { type Command, InvalidArgumentError, Option } from "commander";
import { PAPERS, SHEET_DEFAULTS, type SheetOptions } from "../print/sheet-layout.ts";
import type { PrintOutput } from "../print/write-codes.ts";
import { CommandError, EXIT } from "./exit-code.ts";
import { parseInteger } from "./link-options.ts";

/** Options of `signpost qr` for many codes. */
export interface PrintOptions {
  label?: string;
  search?: string;
  csv?: string;
  zip?: string;
  pdf?: string;
  format?: "svg" | "png" | "pdf";
  width?: number;
  name?: string;
  paper?: SheetOptions["paper"];
  rows?: number;
  columns?: number;
  mm?: number;
  margin?: number;
  /** False for `--no-caption`. */
  caption?: string[] | false;
  cutMarks?: true;
}

const GRID_MAX = 100;
export const CODE_MM_DEFAULT = 30;

/** Adds the options for many codes. */
export function addPrintOptions(command: Command): Command {
  const group = "Many codes:";
  const option = (flags: string, description: string, parse?: (text: string) => unknown) => {
    const added = new Option(flags, description).helpGroup(group);
    return parse === undefined ? added : added.argParser(parse);
  };
  command
    .addOption(option("--label <label>", "all links with this label"))
    .addOption(option("--search <text>", "all links that match a search"))
    .addOption(option("--csv <file>", "a file with a column content, short_url or url; - for standard input"))
    .addOption(option("--zip <file>", "save all codes as one archive, of SVG files or of another --format"))
    .addOption(option("--pdf <file>", "save all codes as sheets to print"))
    .addOption(option("--name <pattern>", "file names in the archive, such as {n}-{code} or {column}"))
    .addOption(option("--mm <number>", "side of a code in mm, without its quiet zone", parseMillimetres))
    .addOption(option("--paper <size>", "a4, letter, or WIDTHxHEIGHT in mm for labels on a roll", parsePaper))
    .addOption(option("--rows <number>", `codes per column (default: ${SHEET_DEFAULTS.rows})`, parseGrid))
    .addOption(option("--columns <number>", `codes per row (default: ${SHEET_DEFAULTS.columns})`, parseGrid))
    .addOption(
      option("--margin <mm>", `edge of the paper (default: ${SHEET_DEFAULTS.marginMm})`, parseMillimetres),
    )
    .addOption(
      new Option(
        "--caption <pattern>",
        "a line below each code; repeat for several (default: {title} and {url})",
      )
        .helpGroup(group)
        .argParser((text, previous: string[] | undefined) => [...(previous ?? []), text]),
    )
    .addOption(option("--no-caption", "print no captions"))
    .addOption(option("--cut-marks", "mark where to cut"));
  return command;
}

/** Returns the output that the options describe. */
export function readOutput(options: PrintOptions, hasLinks: boolean): PrintOutput {
  if (options.zip !== undefined)
    return {
      kind: "zip",
      format: options.format ?? "svg",
      name: options.name ?? (hasLinks ? "{code}" : "{n}"),
      widthPx: options.width ?? null,
      codeMm: options.mm ?? CODE_MM_DEFAULT,
    };
  if (options.format !== undefined || options.width !== undefined || options.name !== undefined)
    throw new CommandError("--format, --width and --name don't apply to --pdf", EXIT.usage);
  const paper = options.paper ?? SHEET_DEFAULTS.paper;
  const isRoll = !Object.values<SheetOptions["paper"]>(PAPERS).includes(paper);
  const captions = hasLinks ? SHEET_DEFAULTS.captions : ["{content}"];
  return {
    kind: "sheets",
    sheet: {
      paper,
      rows: options.rows ?? (isRoll ? 1 : SHEET_DEFAULTS.rows),
      columns: options.columns ?? (isRoll ? 1 : SHEET_DEFAULTS.columns),
      codeMm: options.mm ?? null,
      marginMm: options.margin ?? (isRoll ? 0 : SHEET_DEFAULTS.marginMm),
      captions: options.caption === false ? [] : (options.caption ?? captions),
      hasCutMarks: options.cutMarks === true,
    },
  };
}

function parsePaper(text: string): SheetOptions["paper"] {
  const known = PAPERS[text.toLowerCase() as keyof typeof PAPERS];
  if (known !== undefined) return known;
  const [, width, height] = /^(\d{1,4}(?:\.\d+)?)x(\d{1,4}(?:\.\d+)?)$/i.exec(text) ?? [];
  if (!(Number(width) > 0 && Number(height) > 0))
    throw new InvalidArgumentError("Must be a4, letter, or WIDTHxHEIGHT in millimetres, such as 62x40.");
  return { widthMm: Number(width), heightMm: Number(height) };
}

function parseGrid(text: string): number {
  const count = parseInteger(text);
  if (count < 1 || count > GRID_MAX) throw new InvalidArgumentError(`Must be 1 to ${GRID_MAX}.`);
  return count;
}

function parseMillimetres(text: string): number {
  if (!/^\d{1,4}(?:\.\d+)?$/.test(text)) throw new InvalidArgumentError("Must be a number of millimetres.");
  return Number(text);
}
