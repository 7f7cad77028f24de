import type { Design } from "./design.ts";
import { sideModules, VERSION_MAX } from "./matrix.ts";
import {
  type Corners,
  type Dots,
  FINDER,
  finderPlaces,
  finderRadii,
  isJoined,
  layOutDots,
  neighbourhood,
  roundCorners,
} from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";

/** An image to be drawn in the centre: a data URI, never an address. */
export interface SvgLogo {
  dataUri: string;
  /** Modules a side of the square it is fitted into. */
  side: number;
}

/**
 * A QR code as SVG: user units are modules, width and height are `size` times as many. All that is dark is one path
 * (even-odd: the holes of finder patterns), so that no two shapes meet in a hairline.
 */
export function renderSvg(symbol: QrSymbol, design: Design, size: number, logo: SvgLogo | null): string {
  const { quietZone } = design;
  const width = symbol.matrix.side + 2 * quietZone;
  const rendering = isAllSquare(design) ? ' shape-rendering="crispEdges"' : "";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width * size}" height="${width * size}"` +
    ` viewBox="0 0 ${width} ${width}"${rendering}>` +
    `<path fill="${design.background}" d="M0 0h${width}v${width}H0z"/>` +
    `<path fill="${design.foreground}" fill-rule="evenodd" d="${darkPath(symbol, design, size)}"/>` +
    `${logo === null ? "" : logoImage(logo, width)}</svg>`
  );
}

function isAllSquare({ dotStyle, cornerStyle }: Design): boolean {
  return dotStyle === "square" && cornerStyle === "square";
}

function darkPath(symbol: QrSymbol, design: Design, size: number): string {
  const { quietZone, dotStyle, cornerStyle } = design;
  const dots = layOutDots(symbol, dotStyle);
  const { ring, hole, centre } = finderRadii(cornerStyle, size);
  let path = dotStyle === "square" ? squareRuns(dots, quietZone) : roundRuns(dots, design, size);
  for (const [x, y] of finderPlaces(dots.side)) {
    const left = x + quietZone;
    const top = y + quietZone;
    const inset = (FINDER.ring - FINDER.centre) / 2;
    path += box(left, top, FINDER.ring, FINDER.ring, same(ring));
    path += box(left + 1, top + 1, FINDER.hole, FINDER.hole, same(hole));
    path += box(left + inset, top + inset, FINDER.centre, FINDER.centre, same(centre));
  }
  return path;
}

/** A run of so many dots, from its top left corner: written once, as a symbol has hundreds of each. */
const RUNS = Array.from({ length: sideModules(VERSION_MAX) + 1 }, (_, length) => `h${length}v1h-${length}z`);

/** A rectangle for each run of dots in a row. */
function squareRuns({ side, cells }: Dots, offset: number): string {
  let path = "";
  for (let y = 0; y < side; y++) {
    const row = y * side;
    const top = y + offset;
    for (let x = 0; x < side; x++) {
      if (!cells[row + x]) continue;
      const start = x;
      while (x + 1 < side && cells[row + x + 1]) x++;
      path += `M${start + offset} ${top}${RUNS[x - start + 1]}`;
    }
  }
  return path;
}

/** The same with round ends: only the two dots at the ends of a run have corners of their own. */
function roundRuns(dots: Dots, { dotStyle, quietZone }: Design, size: number): string {
  const { side, cells } = dots;
  let path = "";
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (!cells[y * side + x]) continue;
      const start = x;
      while (x + 1 < side && cells[y * side + x + 1] && isJoined(dots, y * side + x)) x++;
      const [topLeft, , , bottomLeft] = roundCorners(dotStyle, neighbourhood(dots, start, y), size);
      const [, topRight, bottomRight] = roundCorners(dotStyle, neighbourhood(dots, x, y), size);
      const corners: Corners = [topLeft, topRight, bottomRight, bottomLeft];
      path += box(start + quietZone, y + quietZone, x - start + 1, 1, corners);
    }
  }
  return path;
}

function same(radius: number): Corners {
  return [radius, radius, radius, radius];
}

/** A closed rectangle with round corners. */
function box(left: number, top: number, width: number, height: number, corners: Corners): string {
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const right = left + width;
  const bottom = top + height;
  let path = `M${left + topLeft} ${top}H${right - topRight}`;
  if (topRight > 0) path += arc(topRight, topRight, topRight);
  path += `V${bottom - bottomRight}`;
  if (bottomRight > 0) path += arc(bottomRight, -bottomRight, bottomRight);
  path += `H${left + bottomLeft}`;
  if (bottomLeft > 0) path += arc(bottomLeft, -bottomLeft, -bottomLeft);
  if (topLeft > 0) path += `V${top + topLeft}${arc(topLeft, topLeft, -topLeft)}`;
  return `${path}z`;
}

function arc(radius: number, dx: number, dy: number): string {
  return `a${radius} ${radius} 0 0 1 ${dx} ${dy}`;
}

function logoImage({ dataUri, side }: SvgLogo, width: number): string {
  const start = rounded((width - side) / 2);
  const length = rounded(side);
  return `<image x="${start}" y="${start}" width="${length}" height="${length}" href="${dataUri}"/>`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
