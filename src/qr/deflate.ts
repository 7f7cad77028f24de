// Pure: no I/O, clock or randomness.
import { buildPrefixCode, type PrefixCode } from "./huffman.ts";

/**
 * Writes the zlib format (RFC 1950, RFC 1951) for callers that know which bytes repeat. Writing a known
 * repetition takes hardly any time, whereas a general compressor reads every byte.
 */

/** Maximum literals and copies per block. Each block has its own codes, built for its content. */
const BLOCK_TOKENS = 32_768;
/** Minimum length of a copy in bytes. */
export const COPY_MIN = 3;
const COPY_MAX = 258;
/**
 * Lowest bit of the distance in a copy's token. The bits below hold the length. A literal's token is its
 * byte.
 */
const DISTANCE_SHIFT = 9;
const LENGTH_MASK = 511;
const END_OF_BLOCK = 256;
const FIRST_LENGTH_SYMBOL = 257;
const LITERAL_SYMBOLS = 286;
const DISTANCE_SYMBOLS = 30;
const CODE_LENGTH_MAX = 15;
const ADLER_MODULUS = 65_521;
/** Header of a zlib stream with a window of 32 KiB and the default level. */
const ZLIB_HEADER = [0x78, 0x9c];

/** Extra bits and first values of the length and distance symbols (RFC 1951 section 3.2.5). */
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_EXTRA = Array.from({ length: DISTANCE_SYMBOLS }, (_, symbol) =>
  Math.max(0, (symbol >> 1) - 1),
);
const LENGTH_BASE = listBases(LENGTH_EXTRA, COPY_MIN).with(-1, COPY_MAX);
const DISTANCE_BASE = listBases(DISTANCE_EXTRA, 1);
/** Symbol for each length. */
const LENGTH_SYMBOLS = Uint8Array.from({ length: COPY_MAX + 1 }, (_, length) =>
  Math.max(
    0,
    LENGTH_BASE.findLastIndex((base) => base <= length),
  ),
);

function listBases(extra: readonly number[], first: number): number[] {
  let next = first;
  return extra.map((bits) => {
    const base = next;
    next += 1 << bits;
    return base;
  });
}

function findDistanceSymbol(distance: number): number {
  if (distance < 5) return distance - 1;
  const bits = 30 - Math.clz32(distance - 1);
  return 2 * bits + 2 + (((distance - 1) >> bits) & 1);
}

/**
 * Order in which a block lists the code lengths of its third code, which compresses the other codes' lengths.
 */
const LENGTH_CODE_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_CODE_MAX = 7;
/** Symbol for a run of 11 to 138 zero code lengths, followed by 7 extra bits. */
const ZEROS_SYMBOL = 18;
const ZEROS_MIN = 11;
const ZEROS_MAX = 138;

/** Writes a zlib stream from literals and copies. The caller adds the decompressed bytes to the checksum. */
export class ZlibWriter {
  #output = new Uint8Array(65_536);
  #length = 0;
  #bits = 0;
  #bitCount = 0;
  readonly #tokens = new Int32Array(BLOCK_TOKENS);
  #tokenCount = 0;
  #adlerLow = 1;
  #adlerHigh = 0;

  constructor() {
    for (const byte of ZLIB_HEADER) this.#writeBits(byte, 8);
  }

  /** Appends one byte. */
  writeLiteral(byte: number): void {
    if (this.#tokenCount === BLOCK_TOKENS) this.#writeBlock(false);
    this.#tokens[this.#tokenCount++] = byte;
  }

  /** Appends a copy of `length` bytes (at least 3) from `distance` bytes back (at most 32,768). */
  writeCopy(length: number, distance: number): void {
    for (let rest = length; rest > 0; ) {
      // Leaves at least COPY_MIN bytes, so that the rest can be another copy.
      const taken = rest <= COPY_MAX ? rest : Math.min(COPY_MAX, rest - COPY_MIN);
      if (this.#tokenCount === BLOCK_TOKENS) this.#writeBlock(false);
      this.#tokens[this.#tokenCount++] = (distance << DISTANCE_SHIFT) | taken;
      rest -= taken;
    }
  }

  /**
   * Adds bytes to the Adler-32 checksum, given their count, their sum, and the sum of the running sums after
   * each byte. If all bytes are 0, so are both sums.
   */
  addToChecksum(count: number, sum: number, sumOfSums: number): void {
    this.#adlerHigh = (this.#adlerHigh + count * this.#adlerLow + sumOfSums) % ADLER_MODULUS;
    this.#adlerLow = (this.#adlerLow + sum) % ADLER_MODULUS;
  }

  /** Ends the stream and returns its bytes. */
  finish(): Uint8Array {
    this.#writeBlock(true);
    this.#writeBits(0, (8 - this.#bitCount) & 7);
    for (const half of [this.#adlerHigh, this.#adlerLow]) {
      this.#writeBits(half >> 8, 8);
      this.#writeBits(half & 255, 8);
    }
    return this.#output.subarray(0, this.#length);
  }

  #writeBlock(isLast: boolean): void {
    const { literals, distances } = this.#countSymbols();
    const literalCode = buildPrefixCode(literals, CODE_LENGTH_MAX);
    const distanceCode = buildPrefixCode(distances, CODE_LENGTH_MAX);
    // The first bit is 1 for the last block. The other two are type 2: a block with its own (dynamic) codes.
    this.#writeBits(isLast ? 5 : 4, 3);
    this.#writeCodes(literalCode, distanceCode);
    this.#writeTokens(literalCode, distanceCode);
    this.#tokenCount = 0;
  }

  #countSymbols(): { literals: Uint32Array; distances: Uint32Array } {
    const literals = new Uint32Array(LITERAL_SYMBOLS);
    const distances = new Uint32Array(DISTANCE_SYMBOLS);
    const count = (counts: Uint32Array, symbol: number) => {
      counts[symbol] = (counts[symbol] as number) + 1;
    };
    count(literals, END_OF_BLOCK);
    // A block must define a distance code even if it has no copies.
    count(distances, 0);
    for (let i = 0; i < this.#tokenCount; i++) {
      const token = this.#tokens[i] as number;
      if (token < 256) {
        count(literals, token);
      } else {
        count(literals, FIRST_LENGTH_SYMBOL + (LENGTH_SYMBOLS[token & LENGTH_MASK] as number));
        count(distances, findDistanceSymbol(token >> DISTANCE_SHIFT));
      }
    }
    return { literals, distances };
  }

  /**
   * Writes the lengths of both codes. The lengths are compressed with a third code (RFC 1951 section 3.2.7).
   */
  #writeCodes(literalCode: PrefixCode, distanceCode: PrefixCode): void {
    const lengths = [...literalCode.lengths, ...distanceCode.lengths];
    const counts = new Uint32Array(LENGTH_CODE_ORDER.length);
    const symbols = [...packZeros(lengths)];
    for (const { symbol } of symbols) counts[symbol] = (counts[symbol] as number) + 1;
    const code = buildPrefixCode(counts, LENGTH_CODE_MAX);
    this.#writeBits(LITERAL_SYMBOLS - FIRST_LENGTH_SYMBOL, 5);
    this.#writeBits(DISTANCE_SYMBOLS - 1, 5);
    this.#writeBits(LENGTH_CODE_ORDER.length - 4, 4);
    for (const symbol of LENGTH_CODE_ORDER) this.#writeBits(code.lengths[symbol] as number, 3);
    for (const { symbol, zeros } of symbols) {
      this.#writeBits(code.codes[symbol] as number, code.lengths[symbol] as number);
      if (symbol === ZEROS_SYMBOL) this.#writeBits(zeros - ZEROS_MIN, 7);
    }
  }

  #writeTokens(literalCode: PrefixCode, distanceCode: PrefixCode): void {
    for (let i = 0; i < this.#tokenCount; i++) {
      const token = this.#tokens[i] as number;
      if (token >= END_OF_BLOCK) this.#writeCopyToken(token, literalCode, distanceCode);
      else i = this.#writeLiteralTokens(i, literalCode) - 1;
    }
    this.#writeBits(literalCode.codes[END_OF_BLOCK] as number, literalCode.lengths[END_OF_BLOCK] as number);
  }

  /**
   * Writes literals up to the next copy and returns the copy's index. Works on local variables instead of
   * fields, which is faster for images with many literals.
   */
  #writeLiteralTokens(from: number, { codes, lengths }: PrefixCode): number {
    this.#reserve((this.#tokenCount - from) * 2);
    const tokens = this.#tokens;
    const output = this.#output;
    let [length, bits, bitCount] = [this.#length, this.#bits, this.#bitCount];
    let i = from;
    for (; i < this.#tokenCount; i++) {
      const token = tokens[i] as number;
      if (token >= END_OF_BLOCK) break;
      bits |= (codes[token] as number) << bitCount;
      bitCount += lengths[token] as number;
      while (bitCount >= 8) {
        output[length++] = bits & 255;
        bits >>>= 8;
        bitCount -= 8;
      }
    }
    [this.#length, this.#bits, this.#bitCount] = [length, bits, bitCount];
    return i;
  }

  #writeCopyToken(token: number, literalCode: PrefixCode, distanceCode: PrefixCode): void {
    const length = token & LENGTH_MASK;
    const lengthSymbol = LENGTH_SYMBOLS[length] as number;
    const symbol = FIRST_LENGTH_SYMBOL + lengthSymbol;
    const bits = literalCode.lengths[symbol] as number;
    const extra = length - (LENGTH_BASE[lengthSymbol] as number);
    this.#writeBits(
      (literalCode.codes[symbol] as number) | (extra << bits),
      bits + (LENGTH_EXTRA[lengthSymbol] as number),
    );
    const distance = token >> DISTANCE_SHIFT;
    const distanceSymbol = findDistanceSymbol(distance);
    this.#writeBits(
      distanceCode.codes[distanceSymbol] as number,
      distanceCode.lengths[distanceSymbol] as number,
    );
    const distanceBits = DISTANCE_EXTRA[distanceSymbol] as number;
    if (distanceBits > 0) this.#writeBits(distance - (DISTANCE_BASE[distanceSymbol] as number), distanceBits);
  }

  /** Writes up to 24 bits, lowest bit first. */
  #writeBits(value: number, count: number): void {
    this.#bits |= value << this.#bitCount;
    this.#bitCount += count;
    while (this.#bitCount >= 8) {
      if (this.#length === this.#output.length) this.#reserve(1);
      this.#output[this.#length++] = this.#bits & 255;
      this.#bits >>>= 8;
      this.#bitCount -= 8;
    }
  }

  /** Makes room for `count` more bytes. */
  #reserve(count: number): void {
    if (this.#length + count <= this.#output.length) return;
    const larger = new Uint8Array(Math.max(this.#output.length * 2, this.#length + count));
    larger.set(this.#output);
    this.#output = larger;
  }
}

/** Replaces each run of zeros with one symbol. */
function* packZeros(lengths: readonly number[]): Generator<{ symbol: number; zeros: number }> {
  for (let i = 0; i < lengths.length; ) {
    let zeros = 0;
    while (zeros < ZEROS_MAX && lengths[i + zeros] === 0) zeros++;
    if (zeros < ZEROS_MIN) yield { symbol: lengths[i] as number, zeros: 0 };
    else yield { symbol: ZEROS_SYMBOL, zeros };
    i += zeros < ZEROS_MIN ? 1 : zeros;
  }
}
