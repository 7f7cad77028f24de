import { mixColours, parseHexColour, type Rgb } from "../core/colour.ts";
import type { Design } from "./design.ts";
import { countRowBytes, FILTER_NONE, FILTER_UP, type PngFormat, writePng } from "./png-file.ts";
import {
  clearLogoModules,
  type Dots,
  findNeighbours,
  getAlignmentPattern,
  getFinderPattern,
  layOutDots,
  locateFinderPatterns,
} from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";
import { DARK, drawDotTiles, drawPatternTile, type Tile } from "./tiles.ts";

/** Logo in the centre of a QR code: decoded pixels of a square image. */
export interface PngLogo {
  /** Pixels per side. */
  side: number;
  /** Red, green, blue and alpha of each pixel, not premultiplied. */
  pixels: Uint8Array;
}

/** Position of a symbol in an image, in pixels. */
interface PixelGrid {
  /** Pixels per side of the image. */
  width: number;
  /** Pixels per side of a module: a whole number, so that every module is drawn equally and without blurred edges. */
  size: number;
  /** First row and column of the symbol. The quiet zone lies before. */
  start: number;
}

/**
 * Renders a QR code as PNG, at `size` pixels per module. If `width` is more than the modules need, the rest widens the
 * quiet zone evenly.
 */
export function renderPng(
  symbol: QrSymbol,
  design: Design,
  size: number,
  logo: PngLogo | null,
  width = computePixelSide(symbol, design, size),
): Promise<Uint8Array> {
  const grid = { width, size, start: Math.floor((width - symbol.matrix.side * size) / 2) };
  if (logo !== null) return renderTrueColor(symbol, design, grid, logo);
  const isBilevel =
    design.dotStyle === "square" && design.cornerStyle === "square" && design.corner === design.foreground;
  return isBilevel ? renderBilevel(symbol, design, grid) : renderLevels(symbol, design, grid);
}

/** Computes the number of pixels per side of an image with `size` pixels per module. */
export function computePixelSide(symbol: QrSymbol, design: Design, size: number): number {
  return (symbol.matrix.side + 2 * design.quietZone) * size;
}

/** Renders square modules, with one bit per pixel. */
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
    // A band has the rows of one module. They are all equal, so from the second on, the differences are zero.
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

/**
 * Renders round shapes or two dark colours, with a palette of the steps from the background to each dark colour. For
 * one dark colour these are sixteen, so that a pixel takes four bits.
 */
function renderLevels(symbol: QrSymbol, design: Design, grid: PixelGrid): Promise<Uint8Array> {
  const { width } = grid;
  const palette = buildPalette(design);
  const bitDepth = palette.length === DARK + 1 ? 4 : 8;
  const format: PngFormat = { width, height: width, bitDepth, color: Uint8Array.from(palette.flat()) };
  const length = countRowBytes(format) + 1;

  function* bands(): Generator<Uint8Array> {
    const row = new Uint8Array(length);
    row[0] = FILTER_NONE;
    for (const indexes of drawIndexRows(symbol, design, grid)) {
      if (bitDepth === 8) row.set(indexes, 1);
      else packNibbles(row, indexes);
      yield row;
    }
  }
  return writePng(format, bands());
}

/** Packs two palette indexes into each byte of a row, after its filter type. */
function packNibbles(row: Uint8Array, indexes: Uint8Array): void {
  for (let x = 0, i = 1; x < indexes.length; x += 2, i++) {
    row[i] = ((indexes[x] as number) << 4) | (indexes[x + 1] ?? 0);
  }
}

/** Renders a code with a logo, with three bytes per pixel. The logo is blended into the background. */
function renderTrueColor(
  symbol: QrSymbol,
  design: Design,
  grid: PixelGrid,
  logo: PngLogo,
): Promise<Uint8Array> {
  const { width } = grid;
  const format: PngFormat = { width, height: width, bitDepth: 8, color: "rgb" };
  const colours = Uint8Array.from(buildPalette(design).flat());
  const start = grid.start + Math.round((symbol.matrix.side * grid.size - logo.side) / 2);

  function* bands(): Generator<Uint8Array> {
    const row = new Uint8Array(countRowBytes(format) + 1);
    row[0] = FILTER_NONE;
    let y = 0;
    for (const indexes of drawIndexRows(symbol, design, grid)) {
      for (let x = 0, i = 1; x < width; x++) {
        const colour = (indexes[x] as number) * 3;
        row[i++] = colours[colour] as number;
        row[i++] = colours[colour + 1] as number;
        row[i++] = colours[colour + 2] as number;
      }
      const logoRow = y - start;
      if (logoRow >= 0 && logoRow < logo.side) {
        blendLogoRow(row.subarray(1 + start * 3), logo.pixels.subarray(logoRow * logo.side * 4), logo.side);
      }
      yield row;
      y += 1;
    }
  }
  return writePng(format, bands());
}

function blendLogoRow(row: Uint8Array, pixels: Uint8Array, count: number): void {
  for (let x = 0; x < count; x++) {
    const alpha = (pixels[x * 4 + 3] as number) / 255;
    for (let channel = 0; channel < 3; channel++) {
      const below = row[x * 3 + channel] as number;
      row[x * 3 + channel] = Math.round(below + ((pixels[x * 4 + channel] as number) - below) * alpha);
    }
  }
}

/**
 * Builds the palette: the steps of darkness from background to foreground, then those to the colour of the finder
 * patterns if it is another. The second steps leave out the background.
 */
function buildPalette({ background, foreground, corner }: Design): Rgb[] {
  const mixSteps = (dark: string) =>
    Array.from({ length: DARK + 1 }, (_, level) =>
      parseHexColour(mixColours(background, dark, level / DARK)),
    );
  return [...mixSteps(foreground), ...(corner === foreground ? [] : mixSteps(corner).slice(1))];
}

/** Draws the rows of pixels as indexes of the palette. All rows are yielded in the same array. */
function* drawIndexRows(symbol: QrSymbol, design: Design, grid: PixelGrid): Generator<Uint8Array> {
  const { width, size, start } = grid;
  const dots = layOutDots(symbol, design.dotStyle);
  const { side, cells } = dots;
  const tiles = drawDotTiles(design.dotStyle, size);
  const patterns = placePatterns(dots, design, size);
  const indexes = new Uint8Array(width);
  for (let row = 0; row < start; row++) yield indexes;
  for (let y = 0; y < side; y++) {
    const placed: { x: number; tile: Tile; top: number }[] = [];
    for (let x = 0; x < side; x++) {
      if (cells[y * side + x]) placed.push({ x, tile: tiles[findNeighbours(dots, x, y)] as Tile, top: 0 });
    }
    for (const { x, top, tile } of patterns) {
      if (y >= top && (y - top) * size < tile.length) placed.push({ x, tile, top: (y - top) * size });
    }
    for (let row = 0; row < size; row++) {
      indexes.fill(0);
      for (const { x, tile, top } of placed) indexes.set(tile[top + row] as Uint8Array, start + x * size);
      yield indexes;
    }
  }
  indexes.fill(0);
  for (let row = start + side * size; row < width; row++) yield indexes;
}

/** Pattern that is drawn as a whole, with its top left module. */
interface PlacedPattern {
  x: number;
  top: number;
  tile: Tile;
}

/** Draws and places the finder patterns, and the alignment patterns that are not drawn as dots. */
function placePatterns(dots: Dots, design: Design, size: number): PlacedPattern[] {
  const { dotStyle, cornerStyle, corner, foreground } = design;
  const levels = drawPatternTile(getFinderPattern(cornerStyle, size), size);
  const finder = corner === foreground ? levels : levels.map(shiftToCornerColour);
  const alignment = drawPatternTile(getAlignmentPattern(dotStyle, size), size);
  return [
    ...locateFinderPatterns(dots.side).map(([x, top]) => ({ x, top, tile: finder })),
    ...dots.alignmentPatterns.map(([x, top]) => ({ x, top, tile: alignment })),
  ];
}

/** Converts levels of darkness to indexes of the second part of the palette. */
function shiftToCornerColour(levels: Uint8Array): Uint8Array {
  return levels.map((level) => (level === 0 ? 0 : level + DARK));
}
