// Pure: no I/O, clock or randomness.

/**
 * Binary format of the marks in a sample, which takes about half the space of compressed text. It consists of eight
 * ones, the limit of the sample, the parameter of the codes, and a Golomb-Rice code for the difference of each mark
 * from the one before. Ones fill the last byte. Passed to SQL as hexadecimal digits, because rows are JSON.
 */

/** Marks in ascending order, and the number from which on marks are not in the sample. */
export interface SampledMarks {
  limit: number;
  marks: readonly number[];
}

/** First byte. No result of `packText` begins with these bits (RFC 1951 section 3.2.3). */
const START = "1".repeat(8);
const LIMIT_BITS = 31;
const PARAMETER_BITS = 5;

/** Packs marks. */
export function packMarks({ limit, marks }: SampledMarks): string {
  // Close to the optimum for differences of random marks (Kiely, "Selecting the Golomb Parameter in Rice Coding").
  const parameter = Math.max(0, Math.floor(Math.log2((limit / marks.length) * Math.LN2)));
  let bits = START + formatBits(limit, LIMIT_BITS) + formatBits(parameter, PARAMETER_BITS);
  let last = 0;
  for (const mark of marks) {
    const difference = mark - last;
    const quotient = Math.floor(difference / 2 ** parameter);
    bits += `${"1".repeat(quotient)}0${formatBits(difference % 2 ** parameter, parameter)}`;
    last = mark;
  }
  return BigInt(`0b${bits.padEnd(8 * Math.ceil(bits.length / 8), "1")}`).toString(16);
}

/** Unpacks the result of {@link packMarks}. Returns null for any other hexadecimal digits. */
export function unpackMarks(packed: string): SampledMarks | null {
  if (!/^ff/i.test(packed)) return null;
  const bits = BigInt(`0x${packed}`).toString(2);
  const read = (start: number, length: number) => Number.parseInt(`0${bits.slice(start, start + length)}`, 2);
  const limit = read(START.length, LIMIT_BITS);
  const parameter = read(START.length + LIMIT_BITS, PARAMETER_BITS);
  const marks: number[] = [];
  let start = START.length + LIMIT_BITS + PARAMETER_BITS;
  let mark = 0;
  for (let zero = bits.indexOf("0", start); zero !== -1; zero = bits.indexOf("0", start)) {
    mark += (zero - start) * 2 ** parameter + read(zero + 1, parameter);
    marks.push(mark);
    start = zero + 1 + parameter;
  }
  return { limit, marks };
}

function formatBits(number: number, length: number): string {
  return (2 ** length + number).toString(2).slice(1);
}
