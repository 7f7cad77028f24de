/** The bytes a request asks for: `length` of them from `offset` on. */
export interface ByteRange {
  offset: number;
  length: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Reads a `Range` header (RFC 9110 section 14.2) for a body of `size` bytes. Null: answer with the whole body, as for
 * no header, one that cannot be read, another unit or several ranges, all of which may be ignored.
 */
export function parseRange(header: string | null, size: number): ByteRange | "unsatisfiable" | null {
  const match = SINGLE_RANGE.exec(header ?? "");
  if (match === null) return null;
  const [, first = "", last = ""] = match;
  if (first === "") return last === "" ? null : suffix(Number(last), size);
  const offset = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < offset) return null;
  return offset >= size ? "unsatisfiable" : { offset, length: end - offset + 1 };
}

function suffix(length: number, size: number): ByteRange | "unsatisfiable" {
  if (length === 0 || size === 0) return "unsatisfiable";
  const kept = Math.min(length, size);
  return { offset: size - kept, length: kept };
}
