// Pure: no I/O, clock or randomness.

/** Positions of codes on a sheet, in millimetres from the top left. */

/** Paper sizes in millimetres: ISO 216 A4, and ANSI A (Letter). */
export const PAPERS = {
  a4: { widthMm: 210, heightMm: 297 },
  letter: { widthMm: 215.9, heightMm: 279.4 },
} as const;

export interface SheetOptions {
  paper: { widthMm: number; heightMm: number };
  rows: number;
  columns: number;
  /** Side of a code without its quiet zone. Null for the largest that fits. */
  codeMm: number | null;
  /** Unprinted edge of the paper. */
  marginMm: number;
  /** Patterns of the caption's lines. */
  captions: readonly string[];
  hasCutMarks: boolean;
}

/** Default sheet: 24 codes on A4. */
export const SHEET_DEFAULTS = {
  paper: PAPERS.a4,
  rows: 8,
  columns: 3,
  codeMm: null,
  marginMm: 10,
  captions: ["{title}", "{url}"],
  hasCutMarks: false,
} as const satisfies SheetOptions;

export interface SheetLayout {
  codeMm: number;
  cellWidthMm: number;
  cellHeightMm: number;
  /** Distance from the top of a cell to the top of its code. */
  codeTopMm: number;
  /** Distance from the top of a cell to the top of its caption. */
  captionTopMm: number;
}

/** Thrown if codes don't fit on the sheet. */
export class SheetError extends Error {
  override name = "SheetError";
}

/** Height of a caption's line. */
export const LINE_MM = 3.2;
/** Modules of the quiet zone (ISO/IEC 18004 section 6.3.8), and per side of the smallest symbol. */
const QUIET_ZONE = 4;
const SIDE_MIN = 21;
/** Smallest side of a code that a sheet can have, as smaller ones don't scan. */
const CODE_MIN_MM = 8;

/**
 * Lays out a sheet. The quiet zone is reserved for the smallest symbol, which has the largest modules, so that codes of
 * different versions have the same positions. Throws {@link SheetError}.
 */
export function layOutSheet(options: SheetOptions, quietZone: number): SheetLayout {
  const { paper, rows, columns, marginMm, captions } = options;
  const cellWidthMm = (paper.widthMm - 2 * marginMm) / columns;
  const cellHeightMm = (paper.heightMm - 2 * marginMm) / rows;
  const captionMm = captions.length * LINE_MM;
  const zone = Math.max(QUIET_ZONE, quietZone) / SIDE_MIN;
  const largest = Math.floor((Math.min(cellWidthMm, cellHeightMm - captionMm) / (1 + 2 * zone)) * 10) / 10;
  const codeMm = options.codeMm ?? largest;
  if (codeMm > largest) {
    const fitting =
      largest < CODE_MIN_MM ? "Use fewer rows or columns" : `Codes can have ${largest} mm at most`;
    throw new SheetError(
      `Codes of ${codeMm} mm with quiet zone and caption don't fit ${columns} × ${rows} on the paper. ${fitting}.`,
    );
  }
  if (codeMm < CODE_MIN_MM)
    throw new SheetError(
      `Codes of ${codeMm} mm are too small to scan. Use fewer rows or columns, or less caption.`,
    );
  const blockMm = codeMm * (1 + 2 * zone) + captionMm;
  const codeTopMm = (cellHeightMm - blockMm) / 2 + codeMm * zone;
  return { codeMm, cellWidthMm, cellHeightMm, codeTopMm, captionTopMm: codeTopMm + codeMm * (1 + zone) };
}
