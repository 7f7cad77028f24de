// Pure: no I/O, clock or randomness.
import { COPY_MIN, ZlibWriter } from "./deflate.ts";
import { type Span, ZERO_SPAN } from "./span.ts";

/** Maximum number of earlier columns to compare with at each span. */
const CANDIDATES_MAX = 12;
const NOWHERE = -1;

/** Spans (pixel rows of single tiles, see span.ts) that are written in one go. */
interface Piece {
  /** Column of the first span. */
  start: number;
  count: number;
  /** Distance back to equal spans in the same row, in spans, or 0 if the piece isn't a copy. */
  distance: number;
}

/** Section of a row of spans, from column `from` to before `to`. */
export interface RowSection {
  from: number;
  to: number;
  /** Pieces of the section, with only zeros between them. */
  pieces: Piece[];
}

/** Divides rows of spans into pieces: single non-zero spans, and copies of earlier spans in the row. */
export class RowDivider {
  /** Last column of each span number. `#before` holds each column's previous column with the same span. */
  #last = new Int16Array();
  readonly #before: Int16Array;

  constructor(columns: number) {
    this.#before = new Int16Array(columns);
  }

  /**
   * Divides the columns from `from` to before `to`, given each column's span number. Every span number is
   * below `spanCount`.
   */
  divide(numbers: Int32Array, from: number, to: number, spanCount: number): RowSection {
    if (this.#last.length < spanCount) this.#last = new Int16Array(spanCount * 2);
    for (let i = from; i < to; i++) this.#last[numbers[i] as number] = NOWHERE;
    const pieces: Piece[] = [];
    for (let i = from; i < to; ) {
      if (numbers[i] === ZERO_SPAN) {
        i += 1;
        continue;
      }
      const piece = this.#findLongestCopy(numbers, i, to);
      pieces.push(piece);
      for (const end = i + piece.count; i < end; i++) {
        const number = numbers[i] as number;
        this.#before[i] = this.#last[number] as number;
        this.#last[number] = i;
      }
    }
    return { from, to, pieces };
  }

  #findLongestCopy(numbers: Int32Array, start: number, to: number): Piece {
    const best: Piece = { start, count: 1, distance: 0 };
    let column = this.#last[numbers[start] as number] as number;
    for (let candidates = 0; column !== NOWHERE && candidates < CANDIDATES_MAX; candidates++) {
      let count = 1;
      // Ends the copy with a non-zero span, so that its trailing zeros merge with the zeros that follow.
      for (let next = 1; start + next < to && numbers[column + next] === numbers[start + next]; next++) {
        if (numbers[start + next] !== ZERO_SPAN) count = next + 1;
      }
      if (best.distance === 0 || count > best.count) {
        best.count = count;
        best.distance = start - column;
      }
      column = this.#before[column] as number;
    }
    return best;
  }
}

/** Writes bytes that are mostly zeros, span by span. The caller updates the checksum. */
export class SpanWriter {
  readonly zlib = new ZlibWriter();
  /** Zeros not yet written. */
  #zeros = 0;
  #endsWithZero = false;

  writeZeros(count: number): void {
    this.#zeros += count;
  }

  writeSpan({ zerosBefore, zerosAfter, steps }: Span): void {
    this.#zeros += zerosBefore;
    if (steps.length === 0) return;
    this.#flushZeros();
    for (const step of steps) {
      if (step >= 0) this.zlib.writeLiteral(step);
      else this.zlib.writeCopy(-step, 1);
    }
    this.#zeros = zerosAfter;
    this.#endsWithZero = false;
  }

  /**
   * Writes the pieces of a row, including the zeros between them and up to column `to`. `getSpan` returns a
   * column's span. All spans have `length` bytes.
   */
  writePieces({ from, to, pieces }: RowSection, length: number, getSpan: (column: number) => Span): void {
    let next = from;
    for (const { start, count, distance } of pieces) {
      this.#zeros += (start - next) * length;
      next = start + count;
      const { zerosAfter } = getSpan(next - 1);
      const copied = count * length - zerosAfter;
      if (distance === 0 || copied < COPY_MIN) {
        this.writeSpan(getSpan(start));
        continue;
      }
      this.#flushZeros();
      this.zlib.writeCopy(copied, distance * length);
      this.#zeros = zerosAfter;
      this.#endsWithZero = false;
    }
    this.#zeros += (to - next) * length;
  }

  /** Writes bytes that aren't a span. */
  writeBytes(bytes: Uint8Array): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (byte === 0) {
        this.#zeros += 1;
        continue;
      }
      if (this.#zeros > 0) this.#flushZeros();
      this.zlib.writeLiteral(byte);
      this.#endsWithZero = false;
    }
  }

  finish(): Uint8Array {
    this.#flushZeros();
    return this.zlib.finish();
  }

  #flushZeros(): void {
    let count = this.#zeros;
    if (count === 0) return;
    this.#zeros = 0;
    if (!this.#endsWithZero) {
      this.zlib.writeLiteral(0);
      count -= 1;
    }
    this.#endsWithZero = true;
    if (count >= COPY_MIN) this.zlib.writeCopy(count, 1);
    else for (; count > 0; count--) this.zlib.writeLiteral(0);
  }
}
