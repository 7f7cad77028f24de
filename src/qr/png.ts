// Pure: no I/O, clock or randomness.
import { mixColours, parseHexColour, type Rgb } from "../core/colour.ts";
import type { Design } from "./design.ts";
import { type FrameDrawing, layOutImage } from "./frame.ts";
import { PathRaster } from "./path.ts";
import { countRowBytes, FILTER_NONE, FILTER_UP, type PngFormat, writePng } from "./png-file.ts";
import { clearLogoModules } from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";
import { buildTileGrid, drawTileRow } from "./tile-grid.ts";
import { type Picture, renderTiledPng, type TiledImage } from "./tiled-png.ts";
import { DARK } from "./tiles.ts";

/** Logo in the centre of a QR code: decoded pixels of a square image. */
export interface PngLogo {
  /** Pixels per side. The logo is scaled up if it has fewer pixels than the area it covers. */
  side: number;
  /** RGBA pixels, not premultiplied. */
  pixels: Uint8Array;
}

/** Position of a symbol in an image, in pixels. */
interface PixelGrid {
  width: number;
  height: number;
  /** Pixels per module side. A whole number, so that all modules are equal and have sharp edges. */
  size: number;
  /** First column of the symbol, after the quiet zone. */
  start: number;
  /** First row of the symbol. */
  top: number;
}

/** Bytes per pixel of a true-colour image. */
const CHANNELS = 3;

/**
 * Uncompressed bytes from which an image is composed of tiles. A general compressor handles smaller images
 * better.
 */
const TILED_FROM_BYTES = 1_500_000;

/**
 * Renders a QR code as a PNG with `size` pixels per module. If `width` is larger than the modules need, the
 * outer margin is widened evenly. While rendering a large image, awaits `pause` every few milliseconds.
 */
export function renderPng(
  symbol: QrSymbol,
  design: Design,
  size: number,
  logo: PngLogo | null,
  width = computePixelWidth(symbol, design, size),
  pause: () => Promise<void> = async () => {},
  frame: FrameDrawing | null = null,
): Promise<Uint8Array> {
  const grid = placeSymbol(symbol, design, size, width);
  if (logo === null && frame === null && isBilevel(design)) return renderBilevel(symbol, design, grid);
  const palette = buildPalette(design, frame);
  const picture = logo && placeLogo(symbol, grid, logo);
  const layout = picture === null ? buildIndexLayout(palette, grid) : buildTrueColorLayout(palette, grid);
  const image = { ...layout, grid: buildTileGrid(symbol, design, size), size, start: grid.start, picture };
  const isLarge = frame === null && countRowBytes(image.format) * width >= TILED_FROM_BYTES;
  if (isLarge) return renderTiledPng(image, pause);
  return writePng(image.format, drawRows(image, grid.top, frame && rasterizeFrame(frame, grid, design)));
}

function placeSymbol({ matrix }: QrSymbol, design: Design, size: number, width: number): PixelGrid {
  const box = layOutImage(design, matrix.side);
  const margin = width - box.width * size;
  const start = Math.floor(margin / 2 + (box.left + design.quietZone) * size);
  const top = Math.floor(margin / 2 + (box.top + design.quietZone) * size);
  return { width, height: box.height * size + margin, size, start, top };
}

/** Draws a row of a frame over the palette indexes of a row of the image. */
type DrawFrameRow = (indexes: Uint8Array, row: number) => void;

/** Draws the layers with the indexes of {@link buildPalette}. */
function rasterizeFrame(
  { layers, left }: FrameDrawing,
  { width, size, start }: PixelGrid,
  design: Design,
): DrawFrameRow {
  const shift = start - (left + design.quietZone) * size;
  const rasters = layers.map(({ path }) => new PathRaster(path, size, shift, width));
  const darkColours = design.corner === design.foreground ? 1 : 2;
  return (indexes, row) => {
    for (const [layer, raster] of rasters.entries()) {
      raster.drawRow(row, (x, coverage) => {
        const level = Math.round(coverage * DARK);
        if (level > 0) indexes[x] = (darkColours + layer) * DARK + level;
      });
    }
  };
}

/** Returns true if the code consists only of square modules in one colour. */
function isBilevel({ dotStyle, cornerStyle, corner, foreground }: Design): boolean {
  return dotStyle === "square" && cornerStyle === "square" && corner === foreground;
}
/** Computes the width of an image with `size` pixels per module. */
export function computePixelWidth(symbol: QrSymbol, design: Design, size: number): number {
  return layOutImage(design, symbol.matrix.side).width * size;
}

/** Renders square modules with one bit per pixel. */
function renderBilevel(symbol: QrSymbol, design: Design, grid: PixelGrid): Promise<Uint8Array> {
  const { side } = symbol.matrix;
  const { width, size, start } = grid;
  const palette = Uint8Array.from([design.background, design.foreground].flatMap(parseHexColour));
  const format: PngFormat = { width, height: width, bitDepth: 1, color: palette };
  const length = countRowBytes(format) + 1;
  const modules = clearLogoModules(symbol);
  const blank = new Uint8Array(length);

  function* bands(): Generator<Uint8Array> {
    for (let row = 0; row < start; row++) yield blank;
    const band = new Uint8Array(length * size);
    // A band contains the pixel rows of one row of modules. These pixel rows are equal, so from the second on
    // the differences to the row above are 0.
    for (let row = 1; row < size; row++) band[row * length] = FILTER_UP;
    const first = band.subarray(1, length);
    for (let y = 0; y < side; y++) {
      first.fill(0);
      for (let x = 0; x < side; x++) if (modules[y * side + x]) setBits(first, start + x * size, size);
      yield band;
    }
    for (let row = start + side * size; row < width; row++) yield blank;
  }
  return writePng(format, bands());
}

function setBits(bytes: Uint8Array, from: number, count: number): void {
  for (let bit = from; bit < from + count; ) {
    if ((bit & 7) === 0 && bit + 8 <= from + count) {
      bytes[bit >> 3] = 0xff;
      bit += 8;
    } else {
      bytes[bit >> 3] = (bytes[bit >> 3] as number) | (0x80 >> (bit & 7));
      bit += 1;
    }
  }
}

/** Colour format of an image, and the function that converts palette indexes to bytes. */
type Layout = Pick<TiledImage, "format" | "pack">;

/**
 * Lays out an image of round shapes or two dark colours. The palette contains the steps from the background
 * to each dark colour. With only one dark colour there are sixteen steps, so a pixel takes four bits, unless
 * a tile would begin in the middle of a byte.
 */
function buildIndexLayout(palette: readonly Rgb[], { width, height, size, start }: PixelGrid): Layout {
  const color = Uint8Array.from(palette.flat());
  const isHalfByte = palette.length === DARK + 1 && (size | start) % 2 === 0;
  if (isHalfByte) return { format: { width, height, bitDepth: 4, color }, pack: packNibbles };
  return { format: { width, height, bitDepth: 8, color }, pack: (indexes) => indexes.slice() };
}

/** Packs two palette indexes into each byte. */
function packNibbles(indexes: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(indexes.length / 2));
  for (let x = 0, i = 0; x < indexes.length; x += 2, i++) {
    bytes[i] = ((indexes[x] as number) << 4) | (indexes[x + 1] ?? 0);
  }
  return bytes;
}

/** Lays out an image with a logo, with three bytes per pixel. */
function buildTrueColorLayout(palette: readonly Rgb[], { width, height }: PixelGrid): Layout {
  const colours = Uint8Array.from(palette.flat());
  const pack = (indexes: Uint8Array) => {
    const bytes = new Uint8Array(indexes.length * 3);
    for (let x = 0, i = 0; x < indexes.length; x++) {
      const colour = (indexes[x] as number) * 3;
      bytes[i++] = colours[colour] as number;
      bytes[i++] = colours[colour + 1] as number;
      bytes[i++] = colours[colour + 2] as number;
    }
    return bytes;
  };
  return { format: { width, height, bitDepth: 8, color: "rgb" }, pack };
}

/** Places a logo in the centre, blended into the background. */
function placeLogo({ matrix, logoSide }: QrSymbol, grid: PixelGrid, logo: PngLogo): Picture {
  const side = Math.max(logo.side, Math.floor(logoSide * grid.size));
  const start = grid.start + Math.round((matrix.side * grid.size - side) / 2);
  const columns = Uint16Array.from({ length: side }, (_, x) => Math.floor((x * logo.side) / side));
  const findLogoRow = (row: number) => Math.floor((row * logo.side) / side);
  return {
    start,
    side,
    isRepeated: (row) => findLogoRow(row) === findLogoRow(row - 1),
    drawRow(row, bytes) {
      blendRow(bytes, logo.pixels.subarray(findLogoRow(row) * logo.side * 4), columns);
    },
  };
}

/** Blends pixels into a row of bytes. `columns` holds the index of the source pixel for each target pixel. */
function blendRow(row: Uint8Array, pixels: Uint8Array, columns: Uint16Array): void {
  for (let x = 0, i = 0; x < columns.length; x++) {
    const pixel = (columns[x] as number) * 4;
    const share = (pixels[pixel + 3] as number) / 255;
    for (let channel = pixel; channel < pixel + 3; channel++, i++) {
      const below = row[i] as number;
      const above = pixels[channel] as number;
      // Storing in the array cuts off decimals.
      row[i] = below + (above - below) * share + 0.5;
    }
  }
}

/**
 * Builds the palette: the steps of darkness from the background to the foreground, then the steps to the colour of the
 * finder patterns if it is a different colour, and to the colour of each layer of the frame from the colour below it.
 * All parts but the first leave out the colour that they begin with.
 */
function buildPalette({ background, foreground, corner }: Design, frame: FrameDrawing | null): Rgb[] {
  const mixSteps = (from: string, to: string) =>
    Array.from({ length: DARK + 1 }, (_, level) => parseHexColour(mixColours(from, to, level / DARK)));
  return [
    ...mixSteps(background, foreground),
    ...(corner === foreground ? [] : mixSteps(background, corner).slice(1)),
    ...(frame?.layers ?? []).flatMap(({ surface, color }) => mixSteps(surface, color).slice(1)),
  ];
}

/**
 * Draws the rows of an image that isn't composed of compressed tiles, each preceded by its filter type. Reuses one array
 * for all rows. `top` is the first row of the symbol.
 */
function* drawRows(
  { format, grid, start, pack, picture }: TiledImage,
  top: number,
  drawFrameRow: DrawFrameRow | null,
): Generator<Uint8Array> {
  const { width, height } = format;
  const indexes = new Uint8Array(width);
  const row = new Uint8Array(countRowBytes(format) + 1);
  row[0] = FILTER_NONE;
  for (let y = 0; y < height; y++) {
    // Tiles and picture are placed as if the symbol was as far from the top as from the left.
    const codeRow = y - top + start;
    drawTileRow(indexes, grid, start, codeRow);
    drawFrameRow?.(indexes, y);
    const bytes = pack(indexes);
    if (picture !== null && codeRow >= picture.start && codeRow < picture.start + picture.side) {
      picture.drawRow(codeRow - picture.start, bytes.subarray(picture.start * CHANNELS));
    }
    row.set(bytes, 1);
    yield row;
  }
}
