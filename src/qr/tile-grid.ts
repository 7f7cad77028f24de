// Pure: no I/O, clock or randomness.
import type { Design } from "./design.ts";
import {
  findNeighbours,
  getAlignmentPattern,
  getFinderPattern,
  layOutDots,
  locateFinderPatterns,
} from "./shape.ts";
import type { QrSymbol } from "./symbol.ts";
import { DARK, drawDotTiles, drawPatternTile, type Tile } from "./tiles.ts";

/** Symbol as a grid of tiles, one per module. There are few distinct tiles. */
export interface TileGrid {
  /** Modules per side. */
  side: number;
  /** Distinct tiles. Their pixels are palette indexes. The first tile is blank. */
  tiles: Tile[];
  /** Number of tiles at the start of `tiles` that are blank or dots. The others are parts of patterns. */
  dotTiles: number;
  /** Index of each module's tile, row by row. */
  cells: Uint8Array;
}

/** Index of the tile without a dot. */
export const BLANK_TILE = 0;

/** Draws the tiles of a symbol at `size` pixels per module, and arranges them in a grid. */
export function buildTileGrid(symbol: QrSymbol, design: Design, size: number): TileGrid {
  const { dotStyle, cornerStyle, corner, foreground } = design;
  const dots = layOutDots(symbol, dotStyle);
  const { side } = dots;
  const tiles: Tile[] = [drawBlankTile(size), ...drawDotTiles(dotStyle, size)];
  const dotTiles = tiles.length;
  const cells = new Uint8Array(side * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      if (dots.cells[y * side + x]) cells[y * side + x] = 1 + findNeighbours(dots, x, y);
    }
  }
  const place = (pattern: Tile, corners: readonly (readonly [x: number, y: number])[]) => {
    const width = pattern.length / size;
    for (let part = 0; part < width * width; part++) {
      const [column, row] = [part % width, Math.floor(part / width)];
      const index = tiles.push(cutTile(pattern, column * size, row * size, size)) - 1;
      for (const [x, y] of corners) cells[(y + row) * side + x + column] = index;
    }
  };
  const finder = drawPatternTile(getFinderPattern(cornerStyle, size), size);
  place(corner === foreground ? finder : finder.map(shiftToCornerColour), locateFinderPatterns(side));
  if (dots.alignmentPatterns.length > 0) {
    place(drawPatternTile(getAlignmentPattern(dotStyle, size), size), dots.alignmentPatterns);
  }
  return { side, tiles, dotTiles, cells };
}

function drawBlankTile(size: number): Tile {
  return new Array<Uint8Array>(size).fill(new Uint8Array(size));
}

function cutTile(pattern: Tile, left: number, top: number, size: number): Tile {
  return pattern.slice(top, top + size).map((row) => row.slice(left, left + size));
}

/** Converts darkness levels to indexes into the finder patterns' part of the palette. */
function shiftToCornerColour(levels: Uint8Array): Uint8Array {
  return levels.map((level) => (level === 0 ? 0 : level + DARK));
}

/** Draws a row of the image as palette indexes. `start` is the grid's first row and column in pixels. */
export function drawTileRow(indexes: Uint8Array, grid: TileGrid, start: number, row: number): void {
  const { side, tiles, cells } = grid;
  const size = (tiles[BLANK_TILE] as Tile).length;
  const y = Math.floor((row - start) / size);
  indexes.fill(0);
  if (y < 0 || y >= side) return;
  for (let x = 0; x < side; x++) {
    const cell = cells[y * side + x] as number;
    if (cell !== BLANK_TILE)
      indexes.set(tiles[cell]?.[row - start - y * size] as Uint8Array, start + x * size);
  }
}
