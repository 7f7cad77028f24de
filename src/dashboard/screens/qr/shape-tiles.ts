// Pure: no I/O, clock or randomness.
import {
  type Box,
  type CornerStyle,
  type DotStyle,
  forEachDotBox,
  getFinderPattern,
  isDot,
  listPatternBoxes,
} from "../../../qr/shape.ts";

/** Draws small samples of dot and corner styles, with the geometry of real codes. */

/** Pixels per module from which the drawing code renders all curves of a style. */
const FULL_CURVES_PX = 10;

/** Modules of the sample of a dot style. They contain runs, a corner, and a single dot. */
const SAMPLE = ["11011", "10110", "01101", "11101", "10010"];

/** Side of a dot sample, in modules. */
export const DOT_TILE_SIDE = SAMPLE.length;
/** Side of a corner sample, in modules. */
export const CORNER_TILE_SIDE = 7;

/** Returns the SVG path of a dot sample. */
export function drawDotTile(style: DotStyle): string {
  const cells = Uint8Array.from([...SAMPLE.join("")].map(Number));
  let path = "";
  const dots = { side: DOT_TILE_SIDE, cells, isJoined: style !== "dots", alignmentPatterns: [] };
  forEachDotBox(dots, style, FULL_CURVES_PX, (box) => {
    path += drawTileBox(box);
  });
  return path;
}

/** Returns the SVG path of a corner sample, to be filled with the even-odd rule. */
export function drawCornerTile(style: CornerStyle): string {
  return listPatternBoxes(getFinderPattern(style, FULL_CURVES_PX), 0, 0).map(drawTileBox).join("");
}

function drawTileBox(box: Box): string {
  const { left, top, width, height, corners } = box;
  if (isDot(box)) return `M${left} ${top + 0.5}a.5.5 0 1 1 1 0a.5.5 0 1 1-1 0z`;
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  return (
    `M${left + topLeft} ${top}h${width - topLeft - topRight}` +
    `a${topRight} ${topRight} 0 0 1 ${topRight} ${topRight}v${height - topRight - bottomRight}` +
    `a${bottomRight} ${bottomRight} 0 0 1 ${-bottomRight} ${bottomRight}h${bottomLeft + bottomRight - width}` +
    `a${bottomLeft} ${bottomLeft} 0 0 1 ${-bottomLeft} ${-bottomLeft}v${bottomLeft + topLeft - height}` +
    `a${topLeft} ${topLeft} 0 0 1 ${topLeft} ${-topLeft}z`
  );
}
