// Pure: no I/O, clock or randomness.

/** Builds prefix codes (Huffman codes) for the DEFLATE format (RFC 1951 section 3.2). */

/** Code of each symbol. A symbol that doesn't occur has length 0. */
export interface PrefixCode {
  /** Bits of each symbol's code. */
  lengths: Uint8Array;
  /** Codes with their bits reversed, because DEFLATE writes the first bit of a code first. */
  codes: Uint16Array;
}

/** Builds a code from the count of each symbol. No symbol gets more than `lengthMax` bits. */
export function buildPrefixCode(counts: Uint32Array, lengthMax: number): PrefixCode {
  let weights = counts;
  let lengths = computeLengths(weights);
  // Flatter weights make a flatter tree. The result is slightly longer than the optimal code within the
  // limit.
  while (lengths.some((length) => length > lengthMax)) {
    weights = weights.map((weight) => (weight === 0 ? 0 : (weight >> 2) + 1));
    lengths = computeLengths(weights);
  }
  return { lengths, codes: assignCodes(lengths) };
}

/** Returns the code lengths of a Huffman tree. A single symbol gets one bit. */
function computeLengths(weights: Uint32Array): Uint8Array {
  const lengths = new Uint8Array(weights.length);
  const symbols = [...weights.keys()].filter((symbol) => weights[symbol] !== 0);
  symbols.sort((a, b) => (weights[a] as number) - (weights[b] as number));
  if (symbols.length === 1) lengths[symbols[0] as number] = 1;
  if (symbols.length < 2) return lengths;

  // Leaves come first, in ascending order of weight. Inner nodes follow in the order they are created, which
  // is ascending too.
  const leafCount = symbols.length;
  const nodeCount = 2 * leafCount - 1;
  const nodeWeights = new Float64Array(nodeCount);
  for (const [node, symbol] of symbols.entries()) nodeWeights[node] = weights[symbol] as number;
  const parents = new Uint16Array(nodeCount);
  let leaf = 0;
  let inner = leafCount;
  for (let node = leafCount; node < nodeCount; node++) {
    for (let child = 0; child < 2; child++) {
      const isLeafLighter =
        leaf < leafCount &&
        (inner >= node || (nodeWeights[leaf] as number) <= (nodeWeights[inner] as number));
      const taken = isLeafLighter ? leaf++ : inner++;
      parents[taken] = node;
      nodeWeights[node] = (nodeWeights[node] as number) + (nodeWeights[taken] as number);
    }
  }
  const depths = new Uint8Array(nodeCount);
  for (let node = nodeCount - 2; node >= 0; node--) {
    depths[node] = (depths[parents[node] as number] as number) + 1;
    if (node < leafCount) lengths[symbols[node] as number] = depths[node] as number;
  }
  return lengths;
}

/** Assigns the canonical codes for the given lengths (RFC 1951 section 3.2.2). */
function assignCodes(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  const longest = Math.max(...lengths);
  let code = 0;
  for (let length = 1; length <= longest; length++) {
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] === length) codes[symbol] = reverseBits(code++, length);
    }
    code <<= 1;
  }
  return codes;
}

function reverseBits(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}
