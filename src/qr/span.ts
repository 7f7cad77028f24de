// Pure: no I/O, clock or randomness.

/** Builds spans: the bytes of one pixel row of a tile, prepared for the compressor. */

/** Bytes that are written in one go. */
export interface Span {
  /** Number in the span table. Equal bytes have the same number. */
  number: number;
  /** Number of leading and trailing zeros. In a span of zeros, all are leading. */
  zerosBefore: number;
  zerosAfter: number;
  /**
   * Bytes between the zeros. Each step is a byte from 0 to 255, or minus the number of times that the last
   * byte repeats.
   */
  steps: readonly number[];
  /** Sums for `ZlibWriter.addToChecksum`. */
  sum: number;
  sumOfSums: number;
}

/** Number of the span that consists of zeros. */
export const ZERO_SPAN = 0;
/** Minimum length of a run that is written as a copy. */
const RUN_MIN = 4;

/** Table of the distinct spans of one length. */
export class SpanTable {
  readonly zeros: Span;
  readonly #spans = new Map<string, Span>();

  constructor(length: number) {
    this.zeros = this.find(new Uint8Array(length));
  }

  get count(): number {
    return this.#spans.size;
  }

  /** Returns the span with these bytes, and adds it if it is new. */
  find(bytes: Uint8Array): Span {
    const key = String.fromCharCode(...bytes);
    let span = this.#spans.get(key);
    if (span === undefined) {
      span = buildSpan(this.#spans.size, bytes);
      this.#spans.set(key, span);
    }
    return span;
  }
}

function buildSpan(number: number, bytes: Uint8Array): Span {
  const { length } = bytes;
  const start = bytes.findIndex((byte) => byte !== 0);
  const sums = sumBytes(bytes);
  if (start === -1) return { number, zerosBefore: length, zerosAfter: 0, steps: [], ...sums };
  const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
  const steps = listSteps(bytes.subarray(start, end));
  return { number, zerosBefore: start, zerosAfter: length - end, steps, ...sums };
}

function listSteps(bytes: Uint8Array): number[] {
  const steps: number[] = [];
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] as number;
    let run = 1;
    while (bytes[i + run] === byte) run++;
    steps.push(byte);
    if (run >= RUN_MIN) steps.push(1 - run);
    else for (let repeated = 1; repeated < run; repeated++) steps.push(byte);
    i += run;
  }
  return steps;
}

/** Returns the checksum sums of some bytes. */
export function sumBytes(bytes: Uint8Array): { sum: number; sumOfSums: number } {
  let sum = 0;
  let sumOfSums = 0;
  for (let i = 0; i < bytes.length; i++) {
    sum += bytes[i] as number;
    sumOfSums += sum;
  }
  return { sum, sumOfSums };
}
