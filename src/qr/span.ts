/** Spans: the bytes of one row of a tile, prepared for the compressor. */

/** Bytes that are written as a whole. */
export interface Span {
  /** Number in its table. Equal bytes have the same number. */
  number: number;
  /** Zeros before the first other byte and after the last one. A span of zeros has all of them before. */
  zerosBefore: number;
  zerosAfter: number;
  /** Content between them: a byte from 0 to 255, or minus the number of times that the last byte repeats. */
  steps: readonly number[];
  /** Sums for the checksum, see `ZlibWriter.addToChecksum`. */
  sum: number;
  sumOfSums: number;
}

/** Number of the span that is all zeros. */
export const ZERO_SPAN = 0;
/** Shortest run that is written as a copy. */
const RUN_MIN = 4;

/** Distinct spans of one length. */
export class SpanTable {
  readonly zeros: Span;
  readonly #spans = new Map<string, Span>();

  constructor(length: number) {
    this.zeros = this.find(new Uint8Array(length));
  }

  get count(): number {
    return this.#spans.size;
  }

  /** Returns the span with these bytes. */
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

/** Returns the sums of bytes for the checksum. */
export function sumBytes(bytes: Uint8Array): { sum: number; sumOfSums: number } {
  let sum = 0;
  let sumOfSums = 0;
  for (let i = 0; i < bytes.length; i++) {
    sum += bytes[i] as number;
    sumOfSums += sum;
  }
  return { sum, sumOfSums };
}
