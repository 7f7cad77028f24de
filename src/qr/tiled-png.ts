// Pure: no I/O, clock or randomness.
import { ModuleKeys } from "./module-keys.ts";
import { countRowBytes, FILTER_UP, type PngFormat, wrapPngData } from "./png-file.ts";
import { type Span, SpanTable, sumBytes, ZERO_SPAN } from "./span.ts";
import { RowDivider, type RowSection, SpanWriter } from "./span-writer.ts";
import { BLANK_TILE, drawTileRow, type TileGrid } from "./tile-grid.ts";

/**
 * Writes large PNG files. Neighbouring pixel rows of a module differ little, and each consists of few
 * distinct tile rows. So each tile row is compared and summed once, and the rows of the image are composed of
 * tile rows without being expanded into pixels. The time depends on the number of modules and the length of
 * their curves, and hardly on the number of pixels.
 */

/** Image composed of tiles. */
export interface TiledImage {
  format: PngFormat;
  grid: TileGrid;
  /** Pixels per side of a tile. */
  size: number;
  /** First row and column of the grid, in pixels. */
  start: number;
  /** Converts palette indexes to bytes of the format. The pixels must fill whole bytes. */
  pack: (indexes: Uint8Array) => Uint8Array;
  /** Picture in the middle, over blank tiles. Only a true-colour image has one. */
  picture: Picture | null;
}

/** Picture that covers a square of the image. */
export interface Picture {
  /** First row and column that the picture covers, in pixels of the image. */
  start: number;
  /** Pixels per side. */
  side: number;
  /** Returns true if a row of the picture equals the row above. */
  isRepeated: (row: number) => boolean;
  /** Draws a row of the picture over the bytes of the background. */
  drawRow: (row: number, bytes: Uint8Array) => void;
}

/** Rows of modules between two pauses. Writing them takes a few milliseconds. */
const MODULE_ROWS_PER_TURN = 16;
const FILTER = Uint8Array.of(FILTER_UP);

/** Renders an image. Awaits `pause` every few milliseconds, so that the isolate can serve other requests. */
export async function renderTiledPng(image: TiledImage, pause: () => Promise<void>): Promise<Uint8Array> {
  const { format, grid, size, start } = image;
  const rows = new TiledRows(image);
  rows.writeBlank(start);
  for (let y = 0; y < grid.side; y++) {
    rows.writeModules(y);
    if (y % MODULE_ROWS_PER_TURN === MODULE_ROWS_PER_TURN - 1) await pause();
  }
  rows.writeBelow(format.height - start - grid.side * size);
  return wrapPngData(format, rows.finish());
}

/** Pixel row as spans, one for each column of tiles. Columns with the same key have the same span. */
interface SpanRow {
  sections: readonly RowSection[];
  keys: ModuleKeys;
  /** Span of each key. */
  spans: readonly Span[];
}

/** Writes the rows of an image from top to bottom, as differences to the row above. */
class TiledRows {
  readonly #image: TiledImage;
  readonly #writer = new SpanWriter();
  readonly #divider: RowDivider;
  readonly #tileBytes: number;
  readonly #rowBytes: number;
  readonly #spans: SpanTable;
  /** Bytes of each tile's rows. */
  readonly #packed: Uint8Array[][];
  /**
   * Spans of each tile by row within the module. The first row depends on the tile above, so its spans are in
   * `#top`.
   */
  readonly #inner: Span[][];
  /** Span of a tile's first row, by the tile and the tile above. */
  readonly #top = new Map<number, Span>();
  /** Name of each row of a module. In rows with the same name, the same tiles have equal spans. */
  readonly #names: string[];
  /** Like `#names`, but only for tiles with dots. Curves of finder patterns differ in nearly every row. */
  readonly #dotNames: string[];
  #row = 0;
  /** Bytes that cover the picture's columns in the row above. */
  #pictureAbove: Uint8Array = new Uint8Array();

  constructor(image: TiledImage) {
    const { format, grid, size, pack } = image;
    this.#image = image;
    this.#divider = new RowDivider(grid.side);
    this.#packed = grid.tiles.map((tile) => tile.map(pack));
    this.#tileBytes = this.#getTileRow(BLANK_TILE, 0).length;
    this.#rowBytes = countRowBytes(format);
    this.#spans = new SpanTable(this.#tileBytes);
    this.#inner = Array.from({ length: size }, (_, row) =>
      grid.tiles.map((_, tile) =>
        this.#findSpan(this.#getTileRow(tile, row), this.#getTileRow(tile, Math.max(0, row - 1))),
      ),
    );
    this.#names = this.#inner.map(nameRow);
    this.#dotNames = this.#inner.map((spans) => nameRow(spans.slice(0, grid.dotTiles)));
  }

  /** Writes rows of background. */
  writeBlank(count: number): void {
    for (let i = 0; i < count; i++) {
      if (this.#row === 0) this.#writeFirstRow();
      else this.#writeRow(null);
    }
  }

  /** Writes the rows of background below the last modules. */
  writeBelow(count: number): void {
    if (count === 0) return;
    this.#writeTopRow(this.#image.grid.side);
    this.writeBlank(count - 1);
  }

  /** Writes the pixel rows of the modules in row `y`. */
  writeModules(y: number): void {
    const { grid, size } = this.#image;
    const keys = new ModuleKeys(grid.cells.subarray(y * grid.side, (y + 1) * grid.side));
    const sectionsByName = new Map<string, RowSection[]>();
    const names = keys.distinct.every((tile) => tile < grid.dotTiles) ? this.#dotNames : this.#names;
    if (this.#row === 0) this.#writeFirstRow();
    else this.#writeTopRow(y);
    for (let row = 1; row < size; row++) {
      const spans = this.#inner[row] as Span[];
      const hasPicture = this.#hasPicture();
      if (!hasPicture && keys.distinct.every((tile) => spans[tile] === this.#spans.zeros)) {
        this.#writeRow(null);
        continue;
      }
      const name = `${names[row]}${hasPicture}`;
      let sections = sectionsByName.get(name);
      if (sections === undefined) {
        sections = this.#divide(keys, spans);
        sectionsByName.set(name, sections);
      }
      this.#writeRow({ sections, keys, spans });
    }
  }

  /**
   * Writes the first pixel row of the modules in row `y`, or of the background below them. The spans of this
   * pixel row depend on the modules above.
   */
  #writeTopRow(y: number): void {
    const { size, grid } = this.#image;
    const { side, cells } = grid;
    const columns = new Uint8Array(side);
    const spans: Span[] = [];
    const known = new Map<Span, number>();
    for (let x = 0; x < side; x++) {
      const tile = y === side ? BLANK_TILE : (cells[y * side + x] as number);
      const above = y === 0 ? BLANK_TILE : (cells[(y - 1) * side + x] as number);
      const span = this.#findTopSpan(tile, above, size - 1);
      if (!known.has(span)) known.set(span, spans.push(span) - 1);
      columns[x] = known.get(span) as number;
    }
    const keys = new ModuleKeys(columns);
    this.#writeRow({ sections: this.#divide(keys, spans), keys, spans });
  }

  #findTopSpan(tile: number, above: number, lastRow: number): Span {
    const key = above * 256 + tile;
    let span = this.#top.get(key);
    if (span === undefined) {
      span = this.#findSpan(this.#getTileRow(tile, 0), this.#getTileRow(above, lastRow));
      this.#top.set(key, span);
    }
    return span;
  }

  finish(): Uint8Array {
    return this.#writer.finish();
  }

  #getTileRow(tile: number, row: number): Uint8Array {
    return this.#packed[tile]?.[row] as Uint8Array;
  }

  #findSpan(bytes: Uint8Array, above: Uint8Array): Span {
    return isEqual(bytes, above) ? this.#spans.zeros : this.#spans.find(subtract(bytes, above));
  }

  /** Returns true if the picture covers part of this row or of the row above. */
  #hasPicture(): boolean {
    const { picture } = this.#image;
    return picture !== null && this.#row >= picture.start && this.#row <= picture.start + picture.side;
  }

  /** Divides a row into pieces, leaving out the tiles under the picture. */
  #divide({ columns }: ModuleKeys, spans: readonly Span[]): RowSection[] {
    const { picture, start, size, grid } = this.#image;
    const numbers = new Int32Array(columns.length);
    for (let x = 0; x < columns.length; x++) numbers[x] = (spans[columns[x] as number] as Span).number;
    const divide = (from: number, to: number) => this.#divider.divide(numbers, from, to, this.#spans.count);
    if (picture === null || !this.#hasPicture()) return [divide(0, grid.side)];
    const left = Math.floor((picture.start - start) / size);
    const right = Math.ceil((picture.start + picture.side - start) / size);
    return [divide(0, left), divide(right, grid.side)];
  }

  /** Writes the bytes of the first row unchanged, because the missing row above counts as zeros. */
  #writeFirstRow(): void {
    this.#writeBytes(FILTER);
    this.#writeBytes(this.#packRow(0));
    this.#row += 1;
  }

  /** Returns the bytes of a row without the picture. */
  #packRow(row: number): Uint8Array {
    const { pack, grid, start, format } = this.#image;
    const indexes = new Uint8Array(format.width);
    drawTileRow(indexes, grid, start, row);
    return pack(indexes);
  }

  /** Writes a row of tiles, or with null a row that equals the row above. */
  #writeRow(spanRow: SpanRow | null): void {
    const { picture, start, size } = this.#image;
    const pixelBytes = this.#tileBytes / size;
    let written = 0;
    const writeZerosTo = (end: number) => {
      this.#writer.writeZeros(end - written);
      this.#writer.zlib.addToChecksum(end - written, 0, 0);
      written = end;
    };
    this.#writeBytes(FILTER);
    for (const [index, section] of (spanRow?.sections ?? []).entries()) {
      if (index === 1 && picture !== null) {
        writeZerosTo(picture.start * pixelBytes);
        written += this.#writePicture(picture);
      }
      writeZerosTo((start + section.from * size) * pixelBytes);
      this.#writeSection(section, spanRow as SpanRow);
      written += (section.to - section.from) * this.#tileBytes;
    }
    writeZerosTo(this.#rowBytes);
    this.#row += 1;
  }

  #writeSection(section: RowSection, { keys, spans }: SpanRow): void {
    const { columns } = keys;
    this.#writer.writePieces(section, this.#tileBytes, (column) => spans[columns[column] as number] as Span);
    let sum = 0;
    let sumOfSums = 0;
    for (const { key, count, columnsAfter } of keys.countColumns(section.from, section.to)) {
      const span = spans[key] as Span;
      sum += count * span.sum;
      sumOfSums += count * span.sumOfSums + columnsAfter * this.#tileBytes * span.sum;
    }
    this.#writer.zlib.addToChecksum((section.to - section.from) * this.#tileBytes, sum, sumOfSums);
  }

  /** Writes the picture's part of a row or of the row just below it. Returns the number of bytes written. */
  #writePicture(picture: Picture): number {
    const row = this.#row - picture.start;
    if (row > 0 && row < picture.side && picture.isRepeated(row)) {
      this.#writer.writeZeros(this.#pictureAbove.length);
      this.#writer.zlib.addToChecksum(this.#pictureAbove.length, 0, 0);
      return this.#pictureAbove.length;
    }
    if (row === 0) this.#pictureAbove = this.#packBehind(picture, this.#row - 1);
    const bytes = this.#packBehind(picture, this.#row);
    if (row < picture.side) picture.drawRow(row, bytes);
    this.#writeBytes(subtract(bytes, this.#pictureAbove));
    this.#pictureAbove = bytes;
    return bytes.length;
  }

  /** Returns the background bytes of the picture's columns, for a row that the picture covers or touches. */
  #packBehind({ start, side }: Picture, row: number): Uint8Array {
    const pixelBytes = this.#tileBytes / this.#image.size;
    if (row >= start && row < start + side) return this.#image.pack(new Uint8Array(side));
    return this.#packRow(row).subarray(start * pixelBytes, (start + side) * pixelBytes);
  }

  #writeBytes(bytes: Uint8Array): void {
    this.#writer.writeBytes(bytes);
    const { sum, sumOfSums } = sumBytes(bytes);
    this.#writer.zlib.addToChecksum(bytes.length, sum, sumOfSums);
  }
}

function isEqual(bytes: Uint8Array, above: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== above[i]) return false;
  return true;
}

function subtract(bytes: Uint8Array, above: Uint8Array): Uint8Array {
  const differences = new Uint8Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) differences[i] = (bytes[i] as number) - (above[i] as number);
  return differences;
}

/** Names a row of a module by which of its tiles have the same span. Spans of zeros always get number 0. */
function nameRow(spans: readonly Span[]): string {
  const known = new Map([[ZERO_SPAN, 0]]);
  return Array.from(spans, ({ number }) => {
    if (!known.has(number)) known.set(number, known.size);
    return known.get(number);
  }).join();
}
