import type { Design } from "./design.ts";
import { getSymbolSide, VERSION_MAX } from "./matrix.ts";
import {
  type CornerRadii,
  type Dots,
  FINDER_SIDES,
  findNeighbours,
  getFinderRadii,
  isJoinedToRight,
  layOutDots,
  locateFinderPatterns,
  roundCorners,
} from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";

/** Logo in the centre of a QR code. */
export interface SvgLogo {
  /** Image as a data URI, so that the SVG refers to no other address. */
  dataUri: string;
  /** Modules per side of the square that the logo is fitted into. */
  side: number;
}

/**
 * Renders a QR code as SVG. User units are modules, and one module is `size` CSS pixels wide. All dark modules are one
 * path, so that renderers leave no hairlines between shapes. The even-odd rule makes the holes of finder patterns.
 */
export function renderSvg(symbol: QrSymbol, design: Design, size: number, logo: SvgLogo | null): string {
  const { quietZone } = design;
  const width = symbol.matrix.side + 2 * quietZone;
  const rendering = isAllSquare(design) ? ' shape-rendering="crispEdges"' : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * size}" height="${width * size}"` +
    ` viewBox="0 0 ${width} ${width}"${rendering}>` +
    `<path fill="${design.background}" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="${design.foreground}" fill-rule="evenodd" d="${drawDarkPath(symbol, design, size)}"/>` +
    `${logo === null ? "" : drawLogo(logo, width)}</svg>`
  );
}

function isAllSquare({ dotStyle, cornerStyle }: Design): boolean {
  return dotStyle === "square" && cornerStyle === "square";
}

function drawDarkPath(symbol: QrSymbol, design: Design, size: number): string {
  const { quietZone, dotStyle, cornerStyle } = design;
  const dots = layOutDots(symbol, dotStyle);
  const { ring, hole, centre } = getFinderRadii(cornerStyle, size);
  let path = dotStyle === "square" ? drawSquareRuns(dots, quietZone) : drawRoundRuns(dots, design, size);
  for (const [x, y] of locateFinderPatterns(dots.side)) {
    const left = x + quietZone;
    const top = y + quietZone;
    path += drawBox(left, top, FINDER_SIDES.ring, FINDER_SIDES.ring, repeatRadius(ring));
    path += drawBox(left + 1, top + 1, FINDER_SIDES.hole, FINDER_SIDES.hole, repeatRadius(hole));
    path += drawBox(left + 2, top + 2, FINDER_SIDES.centre, FINDER_SIDES.centre, repeatRadius(centre));
  }
  return path;
}

/** Path of a run of dots from its top left corner, by the length of the run. Precomputed, as a symbol has hundreds. */
const RUN_PATHS = Array.from(
  { length: getSymbolSide(VERSION_MAX) + 1 },
  (_, length) => `h${length}v1h-${length}z`,
);

/** Draws a rectangle for each run of dots in a row. */
function drawSquareRuns({ side, cells }: Dots, offset: number): string {
  let path = "";
  for (let y = 0; y < side; y++) {
    const row = y * side;
    const top = y + offset;
    for (let x = 0; x < side; x++) {
      if (!cells[row + x]) continue;
      const start = x;
      while (x + 1 < side && cells[row + x + 1]) x++;
      path += `M${start + offset} ${top}${RUN_PATHS[x - start + 1]}`;
    }
  }
  return path;
}

/** Draws a rectangle with round corners for each run of joined dots. The dots at its two ends decide the corners. */
function drawRoundRuns(dots: Dots, { dotStyle, quietZone }: Design, size: number): string {
  const { side, cells } = dots;
  let path = "";
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!cells[y * side + x]) continue;
      const start = x;
      while (x + 1 < side && cells[y * side + x + 1] && isJoinedToRight(dots, y * side + x)) x++;
      const [topLeft, , , bottomLeft] = roundCorners(dotStyle, findNeighbours(dots, start, y), size);
      const [, topRight, bottomRight] = roundCorners(dotStyle, findNeighbours(dots, x, y), size);
      const corners: CornerRadii = [topLeft, topRight, bottomRight, bottomLeft];
      path += drawBox(start + quietZone, y + quietZone, x - start + 1, 1, corners);
    }
  }
  return path;
}

function repeatRadius(radius: number): CornerRadii {
  return [radius, radius, radius, radius];
}

/** Draws a closed rectangle with round corners. */
function drawBox(left: number, top: number, width: number, height: number, corners: CornerRadii): string {
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const right = left + width;
  const bottom = top + height;
  let path = `M${left + topLeft} ${top}H${right - topRight}`;
  if (topRight > 0) path += drawArc(topRight, topRight, topRight);
  path += `V${bottom - bottomRight}`;
  if (bottomRight > 0) path += drawArc(bottomRight, -bottomRight, bottomRight);
  path += `H${left + bottomLeft}`;
  if (bottomLeft > 0) path += drawArc(bottomLeft, -bottomLeft, -bottomLeft);
  if (topLeft > 0) path += `V${top + topLeft}${drawArc(topLeft, topLeft, -topLeft)}`;
  return `${path}z`;
}

function drawArc(radius: number, dx: number, dy: number): string {
  return `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
}

function drawLogo({ dataUri, side }: SvgLogo, width: number): string {
  const start = roundToThousandth((width - side) / 2);
  const length = roundToThousandth(side);
  return `<image x="${start}" y="${start}" width="${length}" height="${length}" href="${dataUri}"/>`;
}

function roundToThousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}
