import { mix, parseHexColour, type Rgb } from "../core/colour.ts";
import type { Design } from "./design.ts";
import { FILTER_NONE, FILTER_UP, type PngFormat, rowBytes, writePng } from "./png-file.ts";
import { FINDER, finderPlaces, finderRadii, layOutDots, neighbourhood } from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";
import { DARK, dotTiles, finderTile, type Tile } from "./tiles.ts";

/** A square picture in the centre. */
export interface PngLogo {
  /** Pixels a side. */
  side: number;
  /** Red, green, blue and alpha of each pixel, not premultiplied. */
  pixels: Uint8Array;
}

/** A QR code as PNG, `size` pixels a module. */
export function renderPng(
  symbol: QrSymbol,
  design: Design,
  size: number,
  logo: PngLogo | null,
): Promise<Uint8Array> {
  const isAllSquare = design.dotStyle === "square" && design.cornerStyle === "square";
  if (logo !== null) return renderTrueColor(symbol, design, size, logo);
  return isAllSquare ? renderBits(symbol, design, size) : renderLevels(symbol, design, size);
}

/** Pixels a side of the picture. */
export function pixelsASide(symbol: QrSymbol, design: Design, size: number): number {
  return (symbol.matrix.side + 2 * design.quietZone) * size;
}

/** Square modules: one bit a pixel. */
function renderBits(symbol: QrSymbol, design: Design, size: number): Promise<Uint8Array> {
  const { matrix, cleared } = symbol;
  const { quietZone } = design;
  const width = pixelsASide(symbol, design, size);
  const palette = Uint8Array.from([design.background, design.foreground].flatMap(parseHexColour));
  const format: PngFormat = { width, height: width, bitDepth: 1, color: palette };
  const length = rowBytes(format) + 1;
  const modules = cleared === 0 ? matrix.modules : clearedModules(symbol);

  function* bands(): Generator<Uint8Array> {
    const band = new Uint8Array(length * size);
    // After the first row of each band, the rows are the same: all zero as differences to the one above.
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

function clearedModules({ matrix: { modules, side }, cleared }: QrSymbol): Uint8Array {
  const left = modules.slice();
  const start = (side - cleared) / 2;
  for (let y = start; y < start + cleared; y++) left.fill(0, y * side + start, y * side + start + cleared);
  return left;
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

/** Round shapes: sixteen steps from background to foreground, four bits a pixel. */
function renderLevels(symbol: QrSymbol, design: Design, size: number): Promise<Uint8Array> {
  const width = pixelsASide(symbol, design, size);
  const palette = Uint8Array.from(levelColours(design).flat());
  const format: PngFormat = { width, height: width, bitDepth: 4, color: palette };
  const length = rowBytes(format) + 1;

  function* bands(): Generator<Uint8Array> {
    const row = new Uint8Array(length);
    row[0] = FILTER_NONE;
    for (const levels of levelRows(symbol, design, size)) {
      for (let x = 0, i = 1; x < width; x += 2, i++) {
        row[i] = ((levels[x] as number) << 4) | (levels[x + 1] ?? 0);
      }
      yield row;
    }
  }
  return writePng(format, bands());
}

/** With a logo: three bytes a pixel, the logo laid over the background. */
function renderTrueColor(symbol: QrSymbol, design: Design, size: number, logo: PngLogo): Promise<Uint8Array> {
  const width = pixelsASide(symbol, design, size);
  const format: PngFormat = { width, height: width, bitDepth: 8, color: "rgb" };
  const colours = Uint8Array.from(levelColours(design).flat());
  const start = Math.round((width - logo.side) / 2);

  function* bands(): Generator<Uint8Array> {
    const row = new Uint8Array(rowBytes(format) + 1);
    row[0] = FILTER_NONE;
    let y = 0;
    for (const levels of levelRows(symbol, design, size)) {
      for (let x = 0, i = 1; x < width; x++) {
        const colour = (levels[x] as number) * 3;
        row[i++] = colours[colour] as number;
        row[i++] = colours[colour + 1] as number;
        row[i++] = colours[colour + 2] as number;
      }
      const logoRow = y - start;
      if (logoRow >= 0 && logoRow < logo.side) {
        layOver(row.subarray(1 + start * 3), logo.pixels.subarray(logoRow * logo.side * 4), logo.side);
      }
      yield row;
      y += 1;
    }
  }
  return writePng(format, bands());
}

function layOver(row: Uint8Array, pixels: Uint8Array, count: number): void {
  for (let x = 0; x < count; x++) {
    const alpha = (pixels[x * 4 + 3] as number) / 255;
    for (let part = 0; part < 3; part++) {
      const below = row[x * 3 + part] as number;
      row[x * 3 + part] = Math.round(below + ((pixels[x * 4 + part] as number) - below) * alpha);
    }
  }
}

/** The palette: colours from background to foreground. */
function levelColours({ background, foreground }: Design): Rgb[] {
  return Array.from({ length: DARK + 1 }, (_, level) =>
    parseHexColour(mix(background, foreground, level / DARK)),
  );
}

/** Every row of pixels as levels of darkness, laid from tiles; each in the array of the one before. */
function* levelRows(symbol: QrSymbol, design: Design, size: number): Generator<Uint8Array> {
  const { quietZone } = design;
  const dots = layOutDots(symbol, design.dotStyle);
  const { side, cells } = dots;
  const tiles = dotTiles(design.dotStyle, size);
  const finder = finderTile(finderRadii(design.cornerStyle, size), size);
  const width = pixelsASide(symbol, design, size);
  const levels = new Uint8Array(width);
  for (let row = 0; row < quietZone * size; row++) yield levels;
  for (let y = 0; y < side; y++) {
    const laid: { x: number; tile: Tile; top: number }[] = [];
    for (let x = 0; x < side; x++) {
      if (cells[y * side + x]) laid.push({ x, tile: tiles[neighbourhood(dots, x, y)] as Tile, top: 0 });
    }
    for (const [x, top] of finderPlaces(side)) {
      if (y >= top && y < top + FINDER.ring) laid.push({ x, tile: finder, top: (y - top) * size });
    }
    for (let row = 0; row < size; row++) {
      levels.fill(0);
      for (const { x, tile, top } of laid) levels.set(tile[top + row] as Uint8Array, (x + quietZone) * size);
      yield levels;
    }
  }
  levels.fill(0);
  for (let row = 0; row < quietZone * size; row++) yield levels;
}
