import { mixColours, parseHexColour, type Rgb } from "../core/colour.ts";
import type { Design } from "./design.ts";
import { countRowBytes, FILTER_NONE, FILTER_UP, type PngFormat, writePng } from "./png-file.ts";
import { FINDER_SIDES, findNeighbours, getFinderRadii, layOutDots, locateFinderPatterns } from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";
import { DARK, drawDotTiles, drawFinderTile, type Tile } from "./tiles.ts";

/** Logo in the centre of a QR code: decoded pixels of a square image. */
export interface PngLogo {
  /** Pixels per side. */
  side: number;
  /** Red, green, blue and alpha of each pixel, not premultiplied. */
  pixels: Uint8Array;
}

/** Renders a QR code as PNG, at `size` pixels per module. */
export function renderPng(
  symbol: QrSymbol,
  design: Design,
  size: number,
  logo: PngLogo | null,
): Promise<Uint8Array> {
  const isAllSquare = design.dotStyle === "square" && design.cornerStyle === "square";
  if (logo !== null) return renderTrueColor(symbol, design, size, logo);
  return isAllSquare ? renderBilevel(symbol, design, size) : renderLevels(symbol, design, size);
}

/** Computes the number of pixels per side of the image. */
export function computePixelSide(symbol: QrSymbol, design: Design, size: number): number {
  return (symbol.matrix.side + 2 * design.quietZone) * size;
}

/** Renders square modules, with one bit per pixel. */
function renderBilevel(symbol: QrSymbol, design: Design, size: number): Promise<Uint8Array> {
  const { matrix, clearedSide } = symbol;
  const { quietZone } = design;
  const width = computePixelSide(symbol, design, size);
  const palette = Uint8Array.from([design.background, design.foreground].flatMap(parseHexColour));
  const format: PngFormat = { width, height: width, bitDepth: 1, color: palette };
  const length = countRowBytes(format) + 1;
  const modules = clearedSide === 0 ? matrix.modules : clearLogoModules(symbol);

  function* bands(): Generator<Uint8Array> {
    const band = new Uint8Array(length * size);
    // A band has the rows of one module. They are all equal, so from the second on, the differences are zero.
    for (let row = 1; row < size; row++) band[row * length] = FILTER_UP;
    const first = band.subarray(1, length);
    for (let y = 0; y < quietZone; y++) yield band;
    for (let y = 0; y < matrix.side; y++) {
      first.fill(0);
      for (let x = 0; x < matrix.side; x++) {
        if (modules[y * matrix.side + x]) setBits(first, (x + quietZone) * size, size);
      }
      yield band;
    }
    first.fill(0);
    for (let y = 0; y < quietZone; y++) yield band;
  }
  return writePng(format, bands());
}

function clearLogoModules({ matrix: { modules, side }, clearedSide }: QrSymbol): Uint8Array {
  const kept = modules.slice();
  const start = (side - clearedSide) / 2;
  const end = start + clearedSide;
  for (let y = start; y < end; y++) kept.fill(0, y * side + start, y * side + end);
  return kept;
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

/** Renders round shapes, with four bits per pixel: sixteen steps from background to foreground. */
function renderLevels(symbol: QrSymbol, design: Design, size: number): Promise<Uint8Array> {
  const width = computePixelSide(symbol, design, size);
  const palette = Uint8Array.from(buildPalette(design).flat());
  const format: PngFormat = { width, height: width, bitDepth: 4, color: palette };
  const length = countRowBytes(format) + 1;

  function* bands(): Generator<Uint8Array> {
    const row = new Uint8Array(length);
    row[0] = FILTER_NONE;
    for (const levels of drawLevelRows(symbol, design, size)) {
      for (let x = 0, i = 1; x < width; x += 2, i++) {
        row[i] = ((levels[x] as number) << 4) | (levels[x + 1] ?? 0);
      }
      yield row;
    }
  }
  return writePng(format, bands());
}

/** Renders a code with a logo, with three bytes per pixel. The logo is blended into the background. */
function renderTrueColor(symbol: QrSymbol, design: Design, size: number, logo: PngLogo): Promise<Uint8Array> {
  const width = computePixelSide(symbol, design, size);
  const format: PngFormat = { width, height: width, bitDepth: 8, color: "rgb" };
  const colours = Uint8Array.from(buildPalette(design).flat());
  const start = Math.round((width - logo.side) / 2);

  function* bands(): Generator<Uint8Array> {
    const row = new Uint8Array(countRowBytes(format) + 1);
    row[0] = FILTER_NONE;
    let y = 0;
    for (const levels of drawLevelRows(symbol, design, size)) {
      for (let x = 0, i = 1; x < width; x++) {
        const colour = (levels[x] as number) * 3;
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

/** Builds the palette: one colour per level of darkness, from background to foreground. */
function buildPalette({ background, foreground }: Design): Rgb[] {
  return Array.from({ length: DARK + 1 }, (_, level) =>
    parseHexColour(mixColours(background, foreground, level / DARK)),
  );
}

/** Draws the rows of pixels as levels of darkness. All rows are yielded in the same array. */
function* drawLevelRows(symbol: QrSymbol, design: Design, size: number): Generator<Uint8Array> {
  const { quietZone } = design;
  const dots = layOutDots(symbol, design.dotStyle);
  const { side, cells } = dots;
  const tiles = drawDotTiles(design.dotStyle, size);
  const finder = drawFinderTile(getFinderRadii(design.cornerStyle, size), size);
  const width = computePixelSide(symbol, design, size);
  const levels = new Uint8Array(width);
  for (let row = 0; row < quietZone * size; row++) yield levels;
  for (let y = 0; y < side; y++) {
    const placed: { x: number; tile: Tile; top: number }[] = [];
    for (let x = 0; x < side; x++) {
      if (cells[y * side + x]) placed.push({ x, tile: tiles[findNeighbours(dots, x, y)] as Tile, top: 0 });
    }
    for (const [x, top] of locateFinderPatterns(side)) {
      if (y >= top && y < top + FINDER_SIDES.ring) placed.push({ x, tile: finder, top: (y - top) * size });
    }
    for (let row = 0; row < size; row++) {
      levels.fill(0);
      for (const { x, tile, top } of placed)
        levels.set(tile[top + row] as Uint8Array, (x + quietZone) * size);
      yield levels;
    }
  }
  levels.fill(0);
  for (let row = 0; row < quietZone * size; row++) yield levels;
}
