import { parseHexColour } from "../core/colour.ts";
import { compressBands, toBytes } from "./bytes.ts";
import type { Design } from "./design.ts";
import { type PdfObject, writePdf } from "./pdf-file.ts";
import { type Box, forEachDotBox, layOutDots, listFinderBoxes } from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";

/** Logo in the centre of a QR code. */
export interface PdfLogo {
  /** Width and height in pixels. */
  width: number;
  height: number;
  /** JPEG file with one or three components, or red, green, blue and alpha of each pixel, not premultiplied. */
  data: { jpeg: Uint8Array; components: 1 | 3 } | { pixels: Uint8Array };
}

const POINTS_PER_MM = 72 / 25.4;
/** Paths have no pixels, so they always have the full curves of the style. */
const PIXELS_PER_MODULE = Number.POSITIVE_INFINITY;

/** Renders a QR code as a PDF with one square page of `widthMm` millimetres. */
export async function renderPdf(
  symbol: QrSymbol,
  design: Design,
  widthMm: number,
  logo: PdfLogo | null,
): Promise<Uint8Array> {
  const width = formatNumber(widthMm * POINTS_PER_MM);
  const content = drawPage(symbol, design, widthMm * POINTS_PER_MM, logo);
  const resources = logo === null ? "" : "/XObject << /Logo 5 0 R >>";
  return writePdf([
    { entries: "/Type /Catalog /Pages 2 0 R" },
    { entries: "/Type /Pages /Kids [3 0 R] /Count 1" },
    {
      entries: `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${width}] /Resources << ${resources} >> /Contents 4 0 R`,
    },
    { entries: "/Filter /FlateDecode", stream: await compressBands([toBytes(content)]) },
    ...(logo === null ? [] : await buildLogoObjects(logo)),
  ]);
}

/** Draws the page. Its unit is a module, and its origin the top left corner: the matrix scales and mirrors the page. */
function drawPage(symbol: QrSymbol, design: Design, widthPoints: number, logo: PdfLogo | null): string {
  const { quietZone, dotStyle, cornerStyle, foreground, background, corner } = design;
  const side = symbol.matrix.side + 2 * quietZone;
  const scale = formatNumber(widthPoints / side);
  let dots = "";
  forEachDotBox(layOutDots(symbol, dotStyle), dotStyle, PIXELS_PER_MODULE, (box) => {
    dots += drawBox(box, quietZone);
  });
  const finders = listFinderBoxes(symbol.matrix.side, cornerStyle, PIXELS_PER_MODULE)
    .map((box) => drawBox(box, quietZone))
    .join("");
  // The even-odd rule (f*) makes the holes of finder patterns.
  return (
    `${scale} 0 0 -${scale} 0 ${formatNumber(widthPoints)} cm\n` +
    `${formatColour(background)} rg\n0 0 ${side} ${side} re\nf\n` +
    `${formatColour(foreground)} rg\n${dots}f*\n` +
    `${formatColour(corner)} rg\n${finders}f*\n` +
    `${logo === null ? "" : drawLogo(logo, symbol.logoSide, side)}`
  );
}

/** Distance of the control points of a Bézier curve that approximates a quarter of a circle, as a share of its radius. */
const ARC_CONTROL = 0.5523;

/** Draws a closed rectangle with round corners. */
function drawBox({ left, top, width, height, corners }: Box, offset: number): string {
  const [x, y] = [left + offset, top + offset];
  if (corners.every((radius) => radius === 0)) return `${x} ${y} ${width} ${height} re\n`;
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const [right, bottom] = [x + width, y + height];
  return (
    `${x + topLeft} ${y} m\n` +
    drawEdge(right, y, topRight, [-1, 0], [0, 1]) +
    drawEdge(right, bottom, bottomRight, [0, -1], [-1, 0]) +
    drawEdge(x, bottom, bottomLeft, [1, 0], [0, -1]) +
    `${drawEdge(x, y, topLeft, [0, 1], [1, 0])}h\n`
  );
}

type Direction = readonly [x: number, y: number];

/** Draws a line to a corner and the arc around it. The directions lead from the corner to the two ends of the arc. */
function drawEdge(x: number, y: number, radius: number, before: Direction, after: Direction): string {
  const locate = ([dx, dy]: Direction, distance: number) =>
    `${formatNumber(x + dx * distance)} ${formatNumber(y + dy * distance)}`;
  const line = `${locate(before, radius)} l\n`;
  if (radius === 0) return line;
  const control = radius * (1 - ARC_CONTROL);
  return `${line}${locate(before, control)} ${locate(after, control)} ${locate(after, radius)} c\n`;
}

/** Draws the logo as large as it fits into the middle square of `logoSide` modules. */
function drawLogo(logo: PdfLogo, logoSide: number, side: number): string {
  const scale = logoSide / Math.max(logo.width, logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const [left, bottom] = [(side - width) / 2, (side + height) / 2];
  // The page is mirrored, so the image is mirrored again.
  const matrix = [width, 0, 0, -height, left, bottom].map(formatNumber).join(" ");
  return `q\n${matrix} cm\n/Logo Do\nQ\n`;
}

/** Builds the image object of a logo and, if it has transparent pixels, that of its alpha channel. */
async function buildLogoObjects({ width, height, data }: PdfLogo): Promise<PdfObject[]> {
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Interpolate true`;
  if ("jpeg" in data) {
    const space = data.components === 1 ? "/DeviceGray" : "/DeviceRGB";
    return [{ entries: `${image} /ColorSpace ${space} /Filter /DCTDecode`, stream: data.jpeg }];
  }
  const { colours, alpha } = splitChannels(data.pixels);
  const isOpaque = alpha.every((value) => value === 255);
  const compressed = `${image} /Filter /FlateDecode`;
  return [
    {
      entries: `${compressed} /ColorSpace /DeviceRGB${isOpaque ? "" : " /SMask 6 0 R"}`,
      stream: await compressBands([colours]),
    },
    ...(isOpaque
      ? []
      : [{ entries: `${compressed} /ColorSpace /DeviceGray`, stream: await compressBands([alpha]) }]),
  ];
}

function splitChannels(pixels: Uint8Array): { colours: Uint8Array; alpha: Uint8Array } {
  const count = pixels.length / 4;
  const [colours, alpha] = [new Uint8Array(count * 3), new Uint8Array(count)];
  for (let i = 0; i < count; i++) {
    colours.set(pixels.subarray(i * 4, i * 4 + 3), i * 3);
    alpha[i] = pixels[i * 4 + 3] as number;
  }
  return { colours, alpha };
}

function formatColour(hex: string): string {
  return parseHexColour(hex)
    .map((channel) => formatNumber(channel / 255))
    .join(" ");
}

/** Formats a number with at most six decimals, and never with an exponent, which PDF does not have. */
function formatNumber(value: number): string {
  return String(Math.round(value * 1_000_000) / 1_000_000);
}
