// Pure: no I/O, clock or randomness.

/**
 * Filled shapes other than modules, in modules from the top left of the image. A path is made of closed subpaths and
 * filled by the nonzero rule. Renderers close each subpath at the next `M`.
 */
export type Path = readonly Segment[];
type Segment =
  | readonly ["M" | "L", x: number, y: number]
  | readonly ["Q", controlX: number, controlY: number, x: number, y: number];

/** Distance of a control point from the start of an eighth of a circle, as a share of the radius. */
const EIGHTH_CONTROL = Math.tan(Math.PI / 8);
/** Distance of the middle of a rounded corner from its sides, as a share of the radius. */
const CORNER_MIDDLE = 1 - Math.SQRT1_2;

/** Draws a rectangle with rounded corners, clockwise. */
export function drawRectangle(x: number, y: number, width: number, height: number, radius: number): Path {
  const [right, bottom] = [x + width, y + height];
  return [
    ["M", x + radius, y],
    ...drawCorner(right, y, radius, -1, 0, 0, 1),
    ...drawCorner(right, bottom, radius, 0, -1, -1, 0),
    ...drawCorner(x, bottom, radius, 1, 0, 0, -1),
    ...drawCorner(x, y, radius, 0, 1, 1, 0),
  ];
}

/** Draws a line to a corner and two curves around it. The directions point from the corner to the curve's ends. */
function drawCorner(
  x: number,
  y: number,
  radius: number,
  beforeX: number,
  beforeY: number,
  afterX: number,
  afterY: number,
): Path {
  const at = (before: number, after: number): [number, number] => [
    x + radius * (beforeX * before + afterX * after),
    y + radius * (beforeY * before + afterY * after),
  ];
  return [
    ["L", ...at(1, 0)],
    ["Q", ...at(1 - EIGHTH_CONTROL, 0), ...at(CORNER_MIDDLE, CORNER_MIDDLE)],
    ["Q", ...at(0, 1 - EIGHTH_CONTROL), ...at(0, 1)],
  ];
}

/** Reverses a path of one subpath, which makes it a hole in a path that goes the other way around it. */
export function reversePath(path: Path): Path {
  const end = path.at(-1) as Segment;
  const reversed: Segment[] = [["M", ...getEnd(end)]];
  for (let i = path.length - 1; i > 0; i--) {
    const segment = path[i] as Segment;
    const to = getEnd(path[i - 1] as Segment);
    reversed.push(segment[0] === "Q" ? ["Q", segment[1], segment[2], ...to] : ["L", ...to]);
  }
  return reversed;
}

function getEnd(segment: Segment): [x: number, y: number] {
  return segment[0] === "Q" ? [segment[3], segment[4]] : [segment[1], segment[2]];
}

/** Formats a path as path data of SVG, or with the operators of PDF, which has no quadratic curves. */
export function formatPath(path: Path, syntax: "svg" | "pdf"): string {
  let text = "";
  let [x, y] = [0, 0];
  for (const segment of path) {
    const [toX, toY] = getEnd(segment);
    if (syntax === "svg") {
      text += segment[0] + segment.slice(1).map(round).join(" ");
    } else if (segment[0] === "Q") {
      const [, controlX, controlY] = segment;
      const toControl = (end: number, control: number) => round(end + ((control - end) * 2) / 3);
      text += `${toControl(x, controlX)} ${toControl(y, controlY)} ${toControl(toX, controlX)} ${toControl(toY, controlY)} ${round(toX)} ${round(toY)} c\n`;
    } else {
      text += `${round(toX)} ${round(toY)} ${segment[0] === "M" ? "m" : "l"}\n`;
    }
    [x, y] = [toX, toY];
  }
  return text;
}

/** Rounds to a thousandth of a module. */
function round(value: unknown): number {
  return Math.round(Number(value) * 1_000) / 1_000;
}

/** Lines into which a curve is divided when it is drawn in pixels. */
const LINES_PER_CURVE = 8;

/** Edge between two points, in pixels, going down if `sign` is 1 and up if it is -1. */
interface Edge {
  top: number;
  bottom: number;
  /** Column at the top, and its change per row. */
  x: number;
  slope: number;
  sign: number;
}

/** Draws a path row by row: how much of each pixel it covers. */
export class PathRaster {
  /** Edges by the first row that they touch. */
  readonly #starts = new Map<number, Edge[]>();
  readonly #areas: Float64Array;
  #active: Edge[] = [];

  /** `size` is the number of pixels per module. Everything is moved by `shift` pixels. */
  constructor(path: Path, size: number, shift: number, width: number) {
    this.#areas = new Float64Array(width + 2);
    let [x, y] = [0, 0];
    let start: [number, number] = [0, 0];
    const lineTo = (toX: number, toY: number) => {
      this.#addEdge(x * size + shift, y * size + shift, toX * size + shift, toY * size + shift);
      [x, y] = [toX, toY];
    };
    for (const segment of path) {
      const [toX, toY] = getEnd(segment);
      if (segment[0] === "M") {
        lineTo(...start);
        start = [toX, toY];
        [x, y] = start;
      } else if (segment[0] === "Q") {
        const [fromX, fromY] = [x, y];
        for (let i = 1; i <= LINES_PER_CURVE; i++) {
          const [after, before] = [i / LINES_PER_CURVE, 1 - i / LINES_PER_CURVE];
          const mix = (from: number, control: number, to: number) =>
            from * before * before + control * 2 * before * after + to * after * after;
          lineTo(mix(fromX, segment[1], toX), mix(fromY, segment[2], toY));
        }
      } else {
        lineTo(toX, toY);
      }
    }
    lineTo(...start);
  }

  #addEdge(fromX: number, fromY: number, toX: number, toY: number): void {
    if (fromY === toY) return;
    const sign = fromY < toY ? 1 : -1;
    const [x, top, bottom] = sign === 1 ? [fromX, fromY, toY] : [toX, toY, fromY];
    const edge = { top, bottom, x, slope: (toX - fromX) / (toY - fromY), sign };
    const row = Math.floor(top);
    this.#starts.set(row, [...(this.#starts.get(row) ?? []), edge]);
  }

  /**
   * Calls `visit` with each covered pixel of a row, and the share of it that is covered. Rows must be drawn in order.
   */
  drawRow(row: number, visit: (x: number, coverage: number) => void): void {
    this.#active = [...this.#active.filter(({ bottom }) => bottom > row), ...(this.#starts.get(row) ?? [])];
    if (this.#active.length === 0) return;
    const areas = this.#areas;
    areas.fill(0);
    for (const edge of this.#active) this.#addAreas(edge, row);
    let sum = 0;
    for (let x = 0; x < areas.length - 2; x++) {
      sum += areas[x] as number;
      const coverage = Math.min(1, Math.abs(sum));
      if (coverage > 0.001) visit(x, coverage);
    }
  }

  /**
   * Adds the area to the right of an edge within a row, as differences from pixel to pixel. The sum of the differences
   * up to a pixel is the area that all edges cover in the pixel.
   */
  #addAreas({ top, bottom, x, slope, sign }: Edge, row: number): void {
    const areas = this.#areas;
    const [from, to] = [Math.max(top, row), Math.min(bottom, row + 1)];
    let y = from;
    while (y < to) {
      // Rounding must not leave the start in the pixel before the border that it has reached.
      const startX = x + (y - top) * slope + Math.sign(slope) * 1e-9;
      const column = slope < 0 ? Math.ceil(startX) - 1 : Math.floor(startX);
      // Ends at the border of the pixel or of the row.
      const border = slope < 0 ? column : column + 1;
      const borderY = slope === 0 ? to : top + (border - x) / slope;
      const end = borderY > y ? Math.min(to, borderY) : to;
      const height = (end - y) * sign;
      const middle = x + ((y + end) / 2 - top) * slope;
      const share = Math.min(1, Math.max(0, column + 1 - middle));
      const at = Math.min(areas.length - 2, Math.max(0, column));
      areas[at] = (areas[at] as number) + height * share;
      areas[at + 1] = (areas[at + 1] as number) + height * (1 - share);
      y = end;
    }
  }
}
