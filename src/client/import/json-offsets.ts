/** Places of values in a text that is JSON. In any other text, the places are some places, and the time stays linear. */

/** Member of an array or an object. */
export interface JsonMember {
  /** Empty in an array. */
  name: string;
  /** Offset of the value. */
  start: number;
}

/** Returns the offset of the next character that is no white space, or the length of the text. */
export function skipSpace(text: string, start: number): number {
  let offset = start;
  while (offset < text.length && " \n\t\r".includes(text.charAt(offset))) offset++;
  return offset;
}

/** Returns the offset after the value that begins at an offset. */
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

/** Returns the offset after the string whose first quote is at an offset. */
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

/** Lists the members of the array or the object that begins at an offset, in their order. */
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
