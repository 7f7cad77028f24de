// Pure: no I/O, clock or randomness.

/**
 * Finds the offsets of values in JSON text. For text that isn't JSON, the offsets are arbitrary but the time
 * stays linear.
 */

export interface JsonMember {
  /** Empty in an array. */
  name: string;
  /** Offset of the value. */
  start: number;
}

/** Returns the offset of the next character that isn't white space, or the text's length. */
export function skipSpace(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && " \n\t\r".includes(text.charAt(offset))) offset++;
  return offset;
}

/** Returns the offset after the value that begins at offset `start`. */
export function findValueEnd(text: string, start: number): number {
  const first = text.charAt(start);
  if (first === '"') return findStringEnd(text, start);
  if (first !== "{" && first !== "[") return findScalarEnd(text, start);
  const marks = /["[\]{}]/g;
  marks.lastIndex = start;
  let depth = 0;
  for (;;) {
    const mark = marks.exec(text)?.[0];
    if (mark === undefined) return text.length;
    if (mark === '"') marks.lastIndex = findStringEnd(text, marks.lastIndex - 1);
    else depth += mark === "{" || mark === "[" ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
}

function findScalarEnd(text: string, start: number): number {
  const end = /[\s,\]}]/g;
  end.lastIndex = start + 1;
  return end.exec(text)?.index ?? text.length;
}

/** Returns the offset after the string whose opening quote is at offset `start`. */
function findStringEnd(text: string, start: number): number {
  let offset = start + 1;
  for (;;) {
    const quote = text.indexOf('"', offset);
    if (quote < 0) return text.length;
    let backslashes = 0;
    while (text.charAt(quote - 1 - backslashes) === "\\") backslashes++;
    offset = quote + 1;
    if (backslashes % 2 === 0) return offset;
  }
}

/** Lists the members of the array or object that begins at offset `start`, in order. */
export function listMembers(text: string, start: number): JsonMember[] {
  const members: JsonMember[] = [];
  const isObject = text.charAt(start) === "{";
  let offset = skipSpace(text, start + 1);
  while (offset < text.length && !"]}".includes(text.charAt(offset))) {
    let name = "";
    if (isObject) {
      const nameEnd = findStringEnd(text, offset);
      name = JSON.parse(text.slice(offset, nameEnd)) as string;
      offset = skipSpace(text, skipSpace(text, nameEnd) + 1);
    }
    members.push({ name, start: offset });
    offset = skipSpace(text, findValueEnd(text, offset));
    if (text.charAt(offset) === ",") offset = skipSpace(text, offset + 1);
  }
  return members;
}
