// Pure: no I/O, clock or randomness.
import type { Design } from "./design.ts";
import type { FrameDrawing } from "./frame.ts";
import { getSymbolSide, VERSION_MAX } from "./matrix.ts";
import { formatPath } from "./path.ts";
import {
  type Box,
  type Dots,
  forEachDotBox,
  getFinderPattern,
  isDot,
  layOutDots,
  listFinderBoxes,
  locateFinderPatterns,
} from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";

/** Logo in the centre of a QR code. */
export interface SvgLogo {
  /** Image as a data URI, so that the SVG refers to no other URL. */
  dataUri: string;
  /** Modules per side of the square into which the logo is fitted. */
  side: number;
}

/** Maximum characters of a URL in the title. */
const TITLE_URL_MAX_LENGTH = 100;

/**
 * Renders a QR code as SVG. User units are modules, and one module is `size` CSS pixels wide, which may be a
 * fraction. Shapes that touch are parts of one path, so that renderers leave no hairlines between them.
 */
export function renderSvg(
  symbol: QrSymbol,
  design: Design,
  size: number,
  logo: SvgLogo | null,
  frame: FrameDrawing | null = null,
): string {
  const side = symbol.matrix.side + 2 * design.quietZone;
  const { width, height } = frame ?? { width: side, height: side };
  const rendering = design.dotStyle === "square" ? ' shape-rendering="crispEdges"' : "";
  const code = drawSymbol(symbol, design, size) + (logo === null ? "" : drawLogo(logo, side));
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${roundToThousandth(width * size)}" height="${roundToThousandth(height * size)}"` +
    ` viewBox="0 0 ${width} ${height}"${rendering}><title>${formatTitle(symbol.content)}</title>` +
    `<path fill="${design.background}" d="M0 0h${width}v${height}H0"/>` +
    `${frame === null ? code : `${drawLayers(frame)}<g transform="translate(${frame.left} ${frame.top})">${code}</g>`}</svg>`
  );
}

function drawLayers({ layers }: FrameDrawing): string {
  return layers
    .map(({ path, color }) => `<path fill="${color}" shape-rendering="auto" d="${formatPath(path, "svg")}"/>`)
    .join("");
}

/** Returns the title that browsers and screen readers show. Only URLs are named, because other text is long. */
function formatTitle(content: string): string {
  if (!/^https?:\/\//i.test(content) || !URL.canParse(content)) return "QR code";
  // A parsed URL has only ASCII characters that XML allows.
  const { href } = new URL(content);
  const shown = href.length > TITLE_URL_MAX_LENGTH ? `${href.slice(0, TITLE_URL_MAX_LENGTH)}…` : href;
  return `QR code of ${shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}`;
}

function drawSymbol(symbol: QrSymbol, design: Design, size: number): string {
  const { dotStyle, cornerStyle, foreground, corner, quietZone } = design;
  const dots = layOutDots(symbol, dotStyle);
  if (dotStyle !== "square") {
    const dotPath = drawDotBoxes(dots, design, size);
    const finderPath = drawFinderBoxes(dots.side, design, size);
    if (corner === foreground) return drawFilledPath(foreground, dotPath + finderPath);
    return drawFilledPath(foreground, dotPath) + drawFilledPath(corner, finderPath);
  }
  const dotPath = drawRuns(dots, quietZone) + drawRings(dots.alignmentPatterns, ALIGNMENT_RING, quietZone);
  if (getFinderPattern(cornerStyle, size).radii.ring > 0) {
    const finderPath = drawFinderBoxes(dots.side, design, size);
    return (
      drawStrokedPath(foreground, dotPath) + drawFilledPath(corner, finderPath, ' shape-rendering="auto"')
    );
  }
  const finderPath = drawRings(locateFinderPatterns(dots.side), FINDER_RING, quietZone);
  if (corner === foreground) return drawStrokedPath(foreground, dotPath + finderPath);
  return drawStrokedPath(foreground, dotPath) + drawStrokedPath(corner, finderPath);
}

/** Draws lines that are one module wide, the default `stroke-width`. */
function drawStrokedPath(color: string, path: string): string {
  return `<path stroke="${color}" fill="none" d="${path}"/>`;
}

/** Fills shapes by the even-odd rule, which leaves the holes in finder patterns. */
function drawFilledPath(color: string, path: string, attributes = ""): string {
  return `<path fill="${color}" fill-rule="evenodd"${attributes} d="${path}"/>`;
}

/**
 * Path commands that skip light modules and begin a line to the right, by the number of light modules.
 * Precomputed because a symbol has thousands of lines.
 */
const GAPS = Array.from({ length: getSymbolSide(VERSION_MAX) }, (_, length) => `m${length} 0h`);

/**
 * Draws a horizontal line through the middle of each run of dark modules. Each line starts relative to the
 * end of the previous line, which takes a third of the characters that outlines take.
 */
function drawRuns({ cells, side }: Dots, offset: number): string {
  let path = "";
  let lastX = 0;
  let lastY = -1;
  for (let y = 0; y < side; y++) {
    const row = y * side;
    for (let x = 0; x < side; x++) {
      if (!cells[row + x]) continue;
      const start = x;
      while (x + 1 < side && cells[row + x + 1]) x++;
      if (y === lastY) path += GAPS[start - lastX];
      else if (lastY === -1) path += `M${start + offset} ${y + offset}.5h`;
      else path += `m${start - lastX} ${y - lastY}h`;
      path += x - start + 1;
      lastX = x + 1;
      lastY = y;
    }
  }
  return path;
}

/**
 * Path commands that draw a square pattern's ring and centre as lines through the middle of modules, starting
 * at the top left module.
 */
const ALIGNMENT_RING = "h4v4h-4zm1.5 2h1";
const FINDER_RING = "h6v6h-6zm1.5 2h3m-3 1h3m-3 1h3";

function drawRings(patterns: readonly [x: number, y: number][], ring: string, offset: number): string {
  return patterns.map(([x, y]) => `M${x + offset}.5 ${y + offset}.5${ring}`).join("");
}

function drawFinderBoxes(side: number, { cornerStyle, quietZone }: Design, size: number): string {
  return listFinderBoxes(side, cornerStyle, size)
    .map((box) => drawBox(box, quietZone))
    .join("");
}

function drawDotBoxes(dots: Dots, { dotStyle, quietZone }: Design, size: number): string {
  let path = "";
  forEachDotBox(dots, dotStyle, size, (box) => {
    path += drawBox(box, quietZone);
  });
  return path;
}

/** Draws a closed rectangle with rounded corners. */
function drawBox(box: Box, offset: number): string {
  const [topLeft, topRight, bottomRight, bottomLeft] = box.corners;
  const left = box.left + offset;
  const top = box.top + offset;
  if (isDot(box)) return `M${left} ${top + 0.5}a.5 .5 0 0 1 1 0a.5 .5 0 0 1-1 0z`;
  const right = left + box.width;
  const bottom = top + box.height;
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
