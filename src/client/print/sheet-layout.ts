// Pure: no I/O, clock or randomness.
import type { Design } from "../../qr/design.ts";
import { layOutImage } from "../../qr/frame.ts";
import { getSymbolSide, VERSION_MAX } from "../../qr/matrix.ts";

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
/** Modules of the quiet zone (ISO/IEC 18004 section 6.3.8). */
const QUIET_ZONE = 4;
/** Smallest side of a code that a sheet can have, as smaller ones don't scan. */
const CODE_MIN_MM = 8;

/** Space around a code for its quiet zone and frame, relative to the code's side. */
interface Surroundings {
  /** On the left and right. */
  beside: number;
  above: number;
  below: number;
}

/** Measures the space that is enough for every version, so that codes of different versions have the same positions. */
function measureSurroundings(design: Design): Surroundings {
  const zone = Math.max(QUIET_ZONE, design.quietZone);
  const all = Array.from({ length: VERSION_MAX }, (_, index) => {
    const side = getSymbolSide(index + 1);
    if (design.frame === null) return { beside: zone / side, above: zone / side, below: zone / side };
    const { left, top, height } = layOutImage(design, side);
    const [beside, above] = [left + zone, top + zone];
    return { beside: beside / side, above: above / side, below: (height - above - side) / side };
  });
  return joinSurroundings(all);
}

function joinSurroundings(all: readonly Surroundings[]): Surroundings {
  const max = (name: keyof Surroundings) => Math.max(...all.map((around) => around[name]));
  return { beside: max("beside"), above: max("above"), below: max("below") };
}

/** Lays out a sheet for codes in these designs. Throws {@link SheetError}. */
export function layOutSheet(options: SheetOptions, designs: readonly Design[]): SheetLayout {
  const { paper, rows, columns, marginMm, captions } = options;
  const cellWidthMm = (paper.widthMm - 2 * marginMm) / columns;
  const cellHeightMm = (paper.heightMm - 2 * marginMm) / rows;
  const captionMm = captions.length * LINE_MM;
  const { beside, above, below } = joinSurroundings(designs.map(measureSurroundings));
  const widest = Math.min(cellWidthMm / (1 + 2 * beside), (cellHeightMm - captionMm) / (1 + above + below));
  const largest = Math.floor(widest * 10) / 10;
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
  const blockMm = codeMm * (1 + above + below) + captionMm;
  const codeTopMm = (cellHeightMm - blockMm) / 2 + codeMm * above;
  return { codeMm, cellWidthMm, cellHeightMm, codeTopMm, captionTopMm: codeTopMm + codeMm * (1 + below) };
}
