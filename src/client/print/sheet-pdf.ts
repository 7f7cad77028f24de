// Pure: no I/O, clock or randomness.
import { compressBands, toBytes } from "../../qr/bytes.ts";
import type { Design } from "../../qr/design.ts";
import { findMissingCharacter, loadFont } from "../../qr/font.ts";
import { type FrameDrawing, layOutImage } from "../../qr/frame.ts";
import { drawCode, formatNumber, LOGO_OBJECT, type PdfLogoObjects, POINTS_PER_MM } from "../../qr/pdf.ts";
import { PdfWriter } from "../../qr/pdf-file.ts";
import type { QrSymbol } from "../../qr/symbol.ts";
import { fitText, formatPdfString, isPrintable, measureText } from "./caption-text.ts";
import { OutlineFonts } from "./outline-font.ts";
import { LINE_MM, layOutSheet, SheetError, type SheetLayout, type SheetOptions } from "./sheet-layout.ts";

/** Writes sheets of codes as one PDF, page by page. */

/** Numbers of objects. The catalogue is 1, and pages follow the logo. */
const PAGES_OBJECT = 2;
const HELVETICA_OBJECT = 3;
const PREFERENCES_OBJECT = 4;
/** Fonts of all pages. The outlines of captions are only complete after the last page. */
const FONTS_OBJECT = 5;

const FONT_POINTS = 7.5;
const FONT_MIN_POINTS = 5;
/** Distance from the top of a caption's line to its baseline. */
const BASELINE_MM = 2.4;
const CUT_MARK_MM = 1.5;
const CUT_MARK_POINTS = 0.25;
const BLACK_FILL = "0 0 0 1 k";
const BLACK_STROKE = "0 0 0 1 K";

/** Design of a code on a sheet, with its frame and logo. */
interface SheetLook {
  design: Design;
  /** Returns the frame of a code by its modules per side. */
  findFrame: (side: number) => FrameDrawing | null;
  objects: PdfLogoObjects | null;
}

/** Font of captions. */
type CaptionFont = Pick<OutlineFonts, "measure" | "show">;

const HELVETICA: CaptionFont = {
  measure: measureText,
  show: (text, size) => `/F ${size} Tf\n${formatPdfString(text)} Tj\n`,
};

export class SheetPdf {
  readonly #options: SheetOptions;
  /** Names of the logos' image resources. */
  readonly #logoNames = new Map<PdfLogoObjects, string>();
  /** Entries of all logos in the resources of a page. */
  #logoEntries = "";
  readonly #layout: SheetLayout;
  readonly #writer: PdfWriter;
  /** Operators of the page that is not full yet. */
  #page = "";
  #codes = 0;
  readonly #pages: number[] = [];
  #nextObject = FONTS_OBJECT + 1;
  #outlines: OutlineFonts | null = null;

  /** Throws {@link SheetError} if the codes don't fit. */
  constructor(write: (bytes: Uint8Array) => void, options: SheetOptions, looks: readonly SheetLook[]) {
    this.#options = options;
    this.#layout = layOutSheet(
      options,
      looks.map(({ design }) => design),
    );
    this.#writer = new PdfWriter(write);
    const encoding = "/Encoding /WinAnsiEncoding";
    this.#writer.add(HELVETICA_OBJECT, {
      entries: `/Type /Font /Subtype /Type1 /BaseFont /Helvetica ${encoding}`,
    });
    // Viewers must not scale the page, because the millimetres would no longer be right.
    this.#writer.add(PREFERENCES_OBJECT, { entries: "/PrintScaling /None" });
    for (const { objects: logo } of looks) if (logo !== null) this.#addLogo(logo);
  }

  /** Adds the objects of a logo. They refer to each other by the numbers that they have in the file of one code. */
  #addLogo(logo: PdfLogoObjects): void {
    const first = this.#nextObject;
    for (const { entries, ...stream } of logo.objects) {
      const renumbered = entries.replaceAll(` ${LOGO_OBJECT + 1} 0 R`, ` ${first + 1} 0 R`);
      this.#writer.add(this.#nextObject++, { entries: renumbered, ...stream });
    }
    const name = `Logo${this.#logoNames.size + 1}`;
    this.#logoNames.set(logo, name);
    this.#logoEntries += `/${name} ${first} 0 R `;
  }

  /** Adds a code with the lines of its caption. Throws {@link SheetError} for a caption that can't be printed. */
  async add(symbol: QrSymbol, look: SheetLook, lines: readonly string[]): Promise<void> {
    const { rows, columns, marginMm } = this.#options;
    const { cellWidthMm, cellHeightMm } = this.#layout;
    const cell = this.#codes % (rows * columns);
    const left = marginMm + (cell % columns) * cellWidthMm;
    const top = marginMm + Math.floor(cell / columns) * cellHeightMm;
    const caption = await this.#drawCaption(lines, left, top);
    this.#page += this.#drawSymbol(symbol, look, left, top) + caption;
    this.#codes += 1;
    if (cell + 1 === rows * columns) await this.#endPage();
  }

  /** Writes the last page and the end of the file. */
  async finish(): Promise<void> {
    if (this.#page !== "" || this.#pages.length === 0) await this.#endPage();
    const { entries = "", objects = [] } = this.#outlines?.build(this.#nextObject) ?? {};
    for (const object of objects) this.#writer.add(this.#nextObject++, object);
    this.#writer.add(FONTS_OBJECT, { entries: `/F ${HELVETICA_OBJECT} 0 R ${entries}` });
    const kids = this.#pages.map((number) => `${number} 0 R`).join(" ");
    this.#writer.add(PAGES_OBJECT, {
      entries: `/Type /Pages /Kids [${kids}] /Count ${this.#pages.length}`,
    });
    this.#writer.add(1, {
      entries: `/Type /Catalog /Pages ${PAGES_OBJECT} 0 R /ViewerPreferences ${PREFERENCES_OBJECT} 0 R`,
    });
    this.#writer.finish();
  }

  #drawSymbol(
    symbol: QrSymbol,
    { design, findFrame, objects: logo }: SheetLook,
    left: number,
    top: number,
  ): string {
    const { codeMm, cellWidthMm, codeTopMm } = this.#layout;
    const { side } = symbol.matrix;
    const box = layOutImage(design, side);
    const moduleMm = codeMm / side;
    const x = toPoints(left + (cellWidthMm - codeMm) / 2 - (box.left + design.quietZone) * moduleMm);
    const y = this.#toY(top + codeTopMm - (box.top + design.quietZone) * moduleMm);
    const scale = toPoints(moduleMm);
    const name = logo === null ? "" : this.#logoNames.get(logo);
    const drawn = drawCode(symbol, design, logo, findFrame(side), name);
    return `q\n${scale} 0 0 -${scale} ${x} ${y} cm\n${drawn}Q\n`;
  }

  async #drawCaption(lines: readonly string[], left: number, top: number): Promise<string> {
    let caption = "";
    for (const [index, line] of lines.entries()) {
      const baseline = top + this.#layout.captionTopMm + index * LINE_MM + BASELINE_MM;
      caption += this.#drawLine(line, left, baseline, await this.#chooseFont(line));
    }
    return caption;
  }

  /** Returns Helvetica, or the font with outlines for a line that Helvetica can't show. Throws {@link SheetError}. */
  async #chooseFont(line: string): Promise<CaptionFont> {
    if (isPrintable(line)) return HELVETICA;
    const font = await loadFont();
    const missing = findMissingCharacter(line, font);
    if (missing !== null)
      throw new SheetError(
        `Captions can't show “${missing}” in “${line}”: they have Latin, Greek and Cyrillic letters. Choose another caption.`,
      );
    this.#outlines ??= new OutlineFonts(font);
    return this.#outlines;
  }

  #drawLine(line: string, left: number, baselineMm: number, font: CaptionFont): string {
    const { cellWidthMm } = this.#layout;
    const measure = (text: string) => font.measure(text);
    const widthPoints = (cellWidthMm - 1) * POINTS_PER_MM;
    const wanted = Math.min(FONT_POINTS, (widthPoints * 1_000) / Math.max(1, measure(line)));
    const size = Math.max(FONT_MIN_POINTS, wanted);
    const text = fitText(line, (widthPoints * 1_000) / size, measure);
    if (text === "") return "";
    const textMm = (measure(text) * size) / 1_000 / POINTS_PER_MM;
    const x = toPoints(left + (cellWidthMm - textMm) / 2);
    return `BT\n${BLACK_FILL}\n${x} ${this.#toY(baselineMm)} Td\n${font.show(text, formatNumber(size))}ET\n`;
  }

  #drawCutMarks(): string {
    const { rows, columns, marginMm } = this.#options;
    const { cellWidthMm, cellHeightMm } = this.#layout;
    let marks = `${BLACK_STROKE}\n${CUT_MARK_POINTS} w\n`;
    for (let row = 0; row <= rows; row++) {
      for (let column = 0; column <= columns; column++) {
        const [x, y] = [marginMm + column * cellWidthMm, marginMm + row * cellHeightMm];
        marks += `${toPoints(x - CUT_MARK_MM)} ${this.#toY(y)} m\n${toPoints(x + CUT_MARK_MM)} ${this.#toY(y)} l\n`;
        marks += `${toPoints(x)} ${this.#toY(y - CUT_MARK_MM)} m\n${toPoints(x)} ${this.#toY(y + CUT_MARK_MM)} l\n`;
      }
    }
    return `${marks}S\n`;
  }

  async #endPage(): Promise<void> {
    const { widthMm, heightMm } = this.#options.paper;
    const drawn = this.#page + (this.#options.hasCutMarks ? this.#drawCutMarks() : "");
    const number = this.#nextObject;
    this.#nextObject += 2;
    const box = `/MediaBox [0 0 ${toPoints(widthMm)} ${toPoints(heightMm)}]`;
    const resources = `/Resources << /Font ${FONTS_OBJECT} 0 R /XObject << ${this.#logoEntries}>> >>`;
    this.#writer.add(number, {
      entries: `/Type /Page /Parent ${PAGES_OBJECT} 0 R ${box} ${resources} /Contents ${number + 1} 0 R`,
    });
    const stream = await compressBands([toBytes(drawn)]);
    this.#writer.add(number + 1, { entries: "/Filter /FlateDecode", stream });
    this.#pages.push(number);
    this.#page = "";
  }

  /** Converts a distance from the top of the page to a coordinate in points from its bottom. */
  #toY(mm: number): string {
    return toPoints(this.#options.paper.heightMm - mm);
  }
}

function toPoints(mm: number): string {
  return formatNumber(mm * POINTS_PER_MM);
}
