// Pure: no I/O, clock or randomness.

/** Range of bytes that a request selects. */
export interface ByteRange {
  offset: number;
  length: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Parses a `Range` header (RFC 9110 section 14.2) for a body of `size` bytes. Returns null if the response
 * should contain the whole body: the header is missing or malformed, has another unit, or lists several
 * ranges. A server may ignore all of these.
 */
export function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = SINGLE_RANGE.exec(header ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? null : buildSuffixRange(Number(last), size);
  const offset = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset >= size ? "unsatisfiable" : { offset, length: end - offset + 1 };
}

/** Returns the range of the last `suffixLength` bytes. */
function buildSuffixRange(suffixLength: number, size: number): ByteRange | "unsatisfiable" {
  if (suffixLength === 0 || size === 0) return "unsatisfiable";
  const length = Math.min(suffixLength, size);
  return { offset: size - length, length };
}
