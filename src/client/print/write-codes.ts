// Pure: no I/O, clock or randomness.
import { ApiError } from "../../core/error.ts";
import { type Design, type DesignInput, resolveDesign } from "../../qr/design.ts";
import { findColourProblems } from "../../qr/design-problems.ts";
import { loadFont } from "../../qr/font.ts";
import { drawFrame, type FrameDrawing, findFrameProblem, layOutImage } from "../../qr/frame.ts";
import { type Format, MODULE_MIN_PX, SIZE_DEFAULT } from "../../qr/image-size.ts";
import { renderPage } from "../../qr/pdf.ts";
import { renderPng } from "../../qr/png.ts";
import { renderSvg } from "../../qr/svg.ts";
import { buildSymbol, type QrSymbol } from "../../qr/symbol.ts";
import type { PrintLogo } from "./extract-logo.ts";
import { shrinkLogo } from "./png-logo.ts";
import type { PrintItem } from "./print-items.ts";
import { listFieldNames } from "./print-items.ts";
import type { SheetOptions } from "./sheet-layout.ts";
import { SheetPdf } from "./sheet-pdf.ts";
import { FileNames, fillPattern, listUnknownPlaceholders } from "./text-pattern.ts";
import { ZIP_FILES_MAX, ZipWriter } from "./zip-writer.ts";

/** Archive with one file per code. */
export interface ZipOutput {
  kind: "zip";
  format: Format;
  /** Pattern of file names. */
  name: string;
  /** Width of a PNG in pixels, or null for {@link SIZE_DEFAULT} pixels per module. */
  widthPx: number | null;
  /** Side of a code in a PDF in millimetres, without its quiet zone. */
  codeMm: number;
}

export type PrintOutput = ZipOutput | { kind: "sheets"; sheet: SheetOptions };

/** Design of codes, with its logo in the form that the format needs. */
export interface PrintDesign {
  design: DesignInput;
  logo: PrintLogo;
}

export interface PrintJob extends PrintDesign {
  items: readonly PrintItem[];
  /** Designs by the ID of their template, for items with a template of their own. */
  templates?: ReadonlyMap<string, PrintDesign>;
  output: PrintOutput;
}

export interface PrintProgress {
  onProgress: (done: number) => void;
  /** Awaited after each code, so that others can run. Throws to cancel. */
  pause: () => Promise<void>;
}

/** Design with a value for every member, and its logo. */
interface CodeLook extends PrintLogo {
  design: Design;
  /** Returns the frame of a code by its modules per side. */
  findFrame: (side: number) => FrameDrawing | null;
}

/** Thrown if codes can't be printed as wanted. The message names the code and says what to change. */
export class PrintError extends Error {
  override name = "PrintError";
}

/**
 * Writes codes as one file, part by part. Throws {@link PrintError}, `SheetError` or `ZipTooLargeError`.
 */
export async function writeCodes(
  { items, output, templates = new Map(), ...common }: PrintJob,
  write: (bytes: Uint8Array) => void,
  { onProgress, pause }: PrintProgress,
): Promise<void> {
  const look = await resolveLook(common);
  const own = new Map<string, CodeLook>();
  for (const [id, template] of templates) own.set(id, await resolveLook(template));
  const looks = [look, ...own.values()];
  checkJob(items, looks, output);
  const forEachSymbol = async (
    use: (symbol: QrSymbol, look: CodeLook, item: PrintItem, index: number) => Promise<void>,
  ) => {
    for (const [index, item] of items.entries()) {
      const chosen = own.get(item.templateId ?? "") ?? look;
      await use(buildItemSymbol(item, index, chosen.design), chosen, item, index);
      onProgress(index + 1);
      await pause();
    }
  };
  const fill = (pattern: string, item: PrintItem, index: number) =>
    fillPattern(pattern, item, index, items.length);
  if (output.kind === "sheets") {
    const pdf = new SheetPdf(write, output.sheet, looks);
    await forEachSymbol((symbol, chosen, item, index) =>
      pdf.add(
        symbol,
        chosen,
        output.sheet.captions.map((pattern) => fill(pattern, item, index)),
      ),
    );
    return pdf.finish();
  }
  const zip = new ZipWriter(write);
  const names = new FileNames();
  await forEachSymbol(async (symbol, chosen, item, index) => {
    const content = await renderFile(symbol, chosen, output, index);
    zip.add(names.create(fill(output.name, item, index), output.format), content);
  });
  zip.finish();
}

/** Renders one code as a file. Throws {@link PrintError}. */
export async function renderCode(
  content: string,
  design: PrintDesign,
  output: ZipOutput,
): Promise<Uint8Array> {
  const item = { content, templateId: null, fields: new Map() };
  const look = await resolveLook(design);
  checkJob([item], [look], { ...output, name: "" });
  return renderFile(buildItemSymbol(item, 0, look.design), look, output, 0);
}

/** Throws {@link PrintError} for a frame whose text can't be drawn. */
async function resolveLook({ design: input, logo }: PrintDesign): Promise<CodeLook> {
  const design = resolveDesign(input);
  const problem = await findFrameProblem(design);
  if (problem !== null) throw new PrintError(`${problem.field}: ${problem.message}`);
  const font = design.frame && (await loadFont());
  const frames = new Map<number, FrameDrawing | null>();
  const findFrame = (side: number) => {
    const frame = frames.get(side) ?? drawFrame(design, side, font);
    frames.set(side, frame);
    return frame;
  };
  return { design, findFrame, ...logo };
}

function checkJob(items: readonly PrintItem[], looks: readonly CodeLook[], output: PrintOutput): void {
  if (items.length === 0) throw new PrintError("There are no codes to print.");
  const [problem] = looks.flatMap(({ design }) => findColourProblems(design));
  if (problem !== undefined) throw new PrintError(`${problem.field} ${problem.message}`);
  const patterns = output.kind === "zip" ? [output.name] : output.sheet.captions;
  const names = listFieldNames(items);
  const [unknown] = patterns.flatMap((pattern) => listUnknownPlaceholders(pattern, names));
  if (unknown !== undefined)
    throw new PrintError(`{${unknown}} is unknown. Use ${[...names].map((name) => `{${name}}`).join(", ")}.`);
  if (output.kind !== "zip") return;
  if (items.length > ZIP_FILES_MAX)
    throw new PrintError(`An archive can have at most ${ZIP_FILES_MAX} codes.`);
}

function buildItemSymbol(item: PrintItem, index: number, design: Design): QrSymbol {
  try {
    return buildSymbol(item.content, design.level, design.logoUrl === null ? null : design.logoSize);
  } catch (error) {
    const problem = error instanceof ApiError ? error.details?.[0] : undefined;
    if (problem === undefined) throw error;
    throw new PrintError(`Code ${index + 1}: ${problem.field} ${problem.message}.`);
  }
}

async function renderFile(
  symbol: QrSymbol,
  { design, findFrame, dataUri, objects, pixels }: CodeLook,
  { format, widthPx, codeMm }: ZipOutput,
  index: number,
): Promise<Uint8Array> {
  const { side } = symbol.matrix;
  const modules = layOutImage(design, side).width;
  const frame = findFrame(side);
  if (format === "svg") {
    const logo = dataUri === null ? null : { dataUri, side: symbol.logoSide };
    return new TextEncoder().encode(renderSvg(symbol, design, SIZE_DEFAULT, logo, frame));
  }
  if (format === "pdf") return renderPage(symbol, design, (codeMm * modules) / side, objects, frame);
  const size = widthPx === null ? SIZE_DEFAULT : Math.floor(widthPx / modules);
  if (size < MODULE_MIN_PX)
    throw new PrintError(
      `Code ${index + 1} needs a width of at least ${modules * MODULE_MIN_PX} pixels, ${MODULE_MIN_PX} per module.`,
    );
  const logo = pixels && shrinkLogo(pixels, Math.max(1, Math.floor(symbol.logoSide * size)));
  return renderPng(symbol, design, size, logo, widthPx ?? undefined, undefined, frame);
}
