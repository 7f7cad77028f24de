// Pure: no I/O, clock or randomness.
import type { Rgb } from "../core/colour.ts";
import { compressBands, toBytes } from "./bytes.ts";
import { convertToInks, parseInks } from "./cmyk.ts";
import type { Design } from "./design.ts";
import { type FrameDrawing, layOutImage } from "./frame.ts";
import { formatPath } from "./path.ts";
import { type PdfObject, writePdf } from "./pdf-file.ts";
import { compressPicture } from "./picture-data.ts";
import { type Box, forEachDotBox, isDot, layOutDots, listFinderBoxes } from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";

/** Logo in the centre of a QR code. */
export interface PdfLogo {
  /** Width and height in pixels. */
  width: number;
  height: number;
  /** A JPEG file with one or three components, or RGBA pixels, not premultiplied. */
  data: { jpeg: Uint8Array; components: 1 | 3 } | { pixels: Uint8Array };
}

export const POINTS_PER_MM = 72 / 25.4;
/** PDF paths have no pixels, so no module is too small for wide curves. */
const PIXELS_PER_MODULE = Number.POSITIVE_INFINITY;

/** Image objects of a logo and its size in pixels. */
export interface PdfLogoObjects {
  width: number;
  height: number;
  /** Objects with the numbers from {@link LOGO_OBJECT}, by which they refer to each other. */
  objects: readonly PdfObject[];
}

/** Number of the first object of a logo, in every file. */
export const LOGO_OBJECT = 5;

/** Renders a QR code as a PDF with one page that is `widthMm` millimetres wide, and square without a frame. */
export async function renderPdf(
  symbol: QrSymbol,
  design: Design,
  widthMm: number,
  logo: PdfLogo | null,
  frame: FrameDrawing | null = null,
): Promise<Uint8Array> {
  const objects = logo && { ...logo, objects: await buildLogoObjects(logo) };
  return renderPage(symbol, design, widthMm, objects, frame);
}

/** Renders a QR code like {@link renderPdf}, with a logo from another file of this renderer. */
export async function renderPage(
  symbol: QrSymbol,
  design: Design,
  widthMm: number,
  logo: PdfLogoObjects | null,
  frame: FrameDrawing | null = null,
): Promise<Uint8Array> {
  const points = widthMm * POINTS_PER_MM;
  const modules = frame ?? layOutImage(design, symbol.matrix.side);
  const width = formatNumber(points);
  const height = formatNumber((points / modules.width) * modules.height);
  const scale = formatNumber(points / modules.width);
  const content = `${scale} 0 0 -${scale} 0 ${height} cm\n${drawCode(symbol, design, logo, frame)}`;
  const resources = logo === null ? "" : `/XObject << /Logo ${LOGO_OBJECT} 0 R >>`;
  return writePdf([
    { entries: "/Type /Catalog /Pages 2 0 R" },
    { entries: "/Type /Pages /Kids [3 0 R] /Count 1" },
    {
      entries: `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << ${resources} >> /Contents 4 0 R`,
    },
    { entries: "/Filter /FlateDecode", stream: await compressBands([toBytes(content)]) },
    ...(logo?.objects ?? []),
  ]);
}

type LogoSize = Pick<PdfLogo, "width" | "height">;

/**
 * Draws a code and its frame in units of modules from the top left. A `cm` operator before it scales and flips the
 * page. The logo is the image resource `logoName`; only its proportions are needed here.
 */
export function drawCode(
  symbol: QrSymbol,
  design: Design,
  logo: LogoSize | null,
  frame: FrameDrawing | null,
  logoName = "Logo",
): string {
  const code = drawSymbol(symbol, design, logo, logoName);
  if (frame === null) return code;
  const { width, height, left, top, layers } = frame;
  const drawn = layers.map(({ path, color }) => `${formatColour(color)} k\n${formatPath(path, "pdf")}f\n`);
  return (
    `${formatColour(design.background)} k\n0 0 ${width} ${height} re\nf\n${drawn.join("")}` +
    `q\n1 0 0 1 ${left} ${top} cm\n${code}Q\n`
  );
}

function drawSymbol(symbol: QrSymbol, design: Design, logo: LogoSize | null, logoName: string): string {
  const { quietZone, dotStyle, cornerStyle, foreground, background, corner } = design;
  const side = symbol.matrix.side + 2 * quietZone;
  const formatCoordinate = createCoordinateFormat();
  let boxes = "";
  let circles = "";
  forEachDotBox(layOutDots(symbol, dotStyle), dotStyle, PIXELS_PER_MODULE, (box) => {
    if (isDot(box)) circles += drawCircle(box, quietZone);
    else boxes += drawBox(box, quietZone, formatCoordinate);
  });
  const finders = listFinderBoxes(symbol.matrix.side, cornerStyle, PIXELS_PER_MODULE)
    .map((box) => drawBox(box, quietZone, formatCoordinate))
    .join("");
  // The even-odd rule (f*) leaves the holes in finder patterns.
  return (
    `${formatColour(background)} k\n0 0 ${side} ${side} re\nf\n` +
    (boxes === "" ? "" : `${formatColour(foreground)} k\n${boxes}f*\n`) +
    // Zero-length lines, one module wide and with round caps, draw circles (ISO 32000-1 section 8.5.3.2).
    (circles === "" ? "" : `${formatColour(foreground)} K\n1 w\n1 J\n${circles}S\n`) +
    `${formatColour(corner)} k\n${finders}f*\n` +
    `${logo === null ? "" : drawLogo(logo, logoName, symbol.logoSide, side)}`
  );
}

/** Distance of the control points of a Bézier curve for a quarter circle, as a share of the radius. */
const ARC_CONTROL = 0.5523;

/** Draws a zero-length line whose round cap is the dot. */
function drawCircle({ left, top }: Box, offset: number): string {
  const centre = `${left + offset + 0.5} ${top + offset + 0.5}`;
  return `${centre} m\n${centre} l\n`;
}

type FormatNumber = (value: number) => string;

/** Returns a caching version of {@link formatNumber}. A symbol has few distinct coordinates. */
function createCoordinateFormat(): FormatNumber {
  const known = new Map<number, string>();
  return (value) => {
    let text = known.get(value);
    if (text === undefined) {
      text = formatNumber(value);
      known.set(value, text);
    }
    return text;
  };
}

/** Draws a closed rectangle with rounded corners. */
function drawBox({ left, top, width, height, corners }: Box, offset: number, format: FormatNumber): string {
  const [x, y] = [left + offset, top + offset];
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  if (topLeft + topRight + bottomRight + bottomLeft === 0) return `${x} ${y} ${width} ${height} re\n`;
  const [right, bottom] = [x + width, y + height];
  return (
    `${format(x + topLeft)} ${y} m\n` +
    drawEdge(right, y, topRight, -1, 0, 0, 1, format) +
    drawEdge(right, bottom, bottomRight, 0, -1, -1, 0, format) +
    drawEdge(x, bottom, bottomLeft, 1, 0, 0, -1, format) +
    `${drawEdge(x, y, topLeft, 0, 1, 1, 0, format)}h\n`
  );
}

/** Draws a line to a corner and the arc around it. The directions point from the corner to the arc's ends. */
function drawEdge(
  x: number,
  y: number,
  radius: number,
  beforeX: number,
  beforeY: number,
  afterX: number,
  afterY: number,
  format: FormatNumber,
): string {
  const line = `${format(x + beforeX * radius)} ${format(y + beforeY * radius)} l\n`;
  if (radius === 0) return line;
  const control = radius * (1 - ARC_CONTROL);
  return (
    `${line}${format(x + beforeX * control)} ${format(y + beforeY * control)} ` +
    `${format(x + afterX * control)} ${format(y + afterY * control)} ` +
    `${format(x + afterX * radius)} ${format(y + afterY * radius)} c\n`
  );
}

/** Draws the logo as large as possible within the central square of `logoSide` modules. */
function drawLogo(logo: LogoSize, name: string, logoSide: number, side: number): string {
  const scale = logoSide / Math.max(logo.width, logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const [left, bottom] = [(side - width) / 2, (side + height) / 2];
  // The page is flipped, so the image is flipped back.
  const matrix = [width, 0, 0, -height, left, bottom].map(formatNumber).join(" ");
  return `q\n${matrix} cm\n/${name} Do\nQ\n`;
}

/**
 * Colour space that prints the RGB samples of a JPEG with process inks (ISO 32000-1 section 8.6.6.5). The image's
 * `Decode` array inverts the samples to cyan, magenta and yellow. Object 6 converts them like
 * {@link convertToInks}.
 */
const INKS_OF_RGB = "[/DeviceN [/Cyan /Magenta /Yellow] /DeviceCMYK 6 0 R]";
const INKS_DOMAIN = "/FunctionType 4 /Domain [0 1 0 1 0 1] /Range [0 1 0 1 0 1 0 1]";
/**
 * Program of a PDF function (section 7.10.5): computes the black ink as the minimum of the three, and then the
 * rest of each.
 */
const INKS_PROGRAM = `{ 3 copy 2 copy gt { exch } if pop 2 copy gt { exch } if pop
dup 1 ge { pop pop pop pop 0 0 0 1 } { 4 1 roll
3 index sub 1 4 index sub div 3 1 roll
3 index sub 1 4 index sub div 3 1 roll
3 index sub 1 4 index sub div 4 1 roll 3 -1 roll } ifelse }`;

/** Builds a logo's image object and, if it has transparent pixels, an object for its alpha channel. */
async function buildLogoObjects({ width, height, data }: PdfLogo): Promise<PdfObject[]> {
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Interpolate true`;
  if ("jpeg" in data) {
    const isGrey = data.components === 1;
    const space = isGrey ? "/DeviceGray" : `${INKS_OF_RGB} /Decode [1 0 1 0 1 0]`;
    return [
      { entries: `${image} /ColorSpace ${space} /Filter /DCTDecode`, stream: data.jpeg },
      ...(isGrey ? [] : [{ entries: INKS_DOMAIN, stream: toBytes(INKS_PROGRAM) }]),
    ];
  }
  const { inks, alpha } = splitChannels(data.pixels);
  const isOpaque = alpha.every((value) => value === 255);
  return [
    await buildSamplesObject(
      `${image} /ColorSpace /DeviceCMYK${isOpaque ? "" : " /SMask 6 0 R"}`,
      inks,
      width,
      4,
    ),
    ...(isOpaque ? [] : [await buildSamplesObject(`${image} /ColorSpace /DeviceGray`, alpha, width, 1)]),
  ];
}

/** Builds an image object from samples. Rows are filtered as in PNG files (ISO 32000-1 section 7.4.4.4). */
async function buildSamplesObject(
  entries: string,
  samples: Uint8Array,
  width: number,
  channels: number,
): Promise<PdfObject> {
  const parameters = `/Predictor 15 /Colors ${channels} /BitsPerComponent 8 /Columns ${width}`;
  return {
    entries: `${entries} /Filter /FlateDecode /DecodeParms << ${parameters} >>`,
    stream: await compressPicture(samples, width * channels),
  };
}

/** Converts RGBA pixels to CMYK samples, and returns their alpha channel separately. */
function splitChannels(pixels: Uint8Array): { inks: Uint8Array; alpha: Uint8Array } {
  const count = pixels.length / 4;
  const [inks, alpha] = [new Uint8Array(count * 4), new Uint8Array(count)];
  for (let i = 0; i < count; i++) {
    const shares = convertToInks(pixels.subarray(i * 4, i * 4 + 3) as unknown as Rgb);
    for (let ink = 0; ink < 4; ink++) inks[i * 4 + ink] = Math.round((shares[ink] as number) * 255);
    alpha[i] = pixels[i * 4 + 3] as number;
  }
  return { inks, alpha };
}

/** Formats a colour for the operators `k` and `K` (ISO 32000-1 section 8.6.8). */
function formatColour(hex: string): string {
  return parseInks(hex).map(formatNumber).join(" ");
}

/** Formats a number with at most six decimals and no exponent, because PDF doesn't support exponents. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 1_000_000) / 1_000_000);
}
