// Pure: no I/O, clock or randomness.

/** Reads and writes lists of short codes and aliases in a query. Aliases can contain commas. */

/** Separator: a comma after an even number of backslashes. */
const SEPARATOR = /,(?<=(?<!\\)(?:\\\\)*,)/;

/** Splits a list at its commas. `\,` is a comma in a code, and `\\` a backslash. */
export function parseCodeList(text: string): string[] {
  return text.split(SEPARATOR).map((code) => code.replace(/\\([\\,])/g, "$1"));
}

/** Joins codes with commas, so that {@link parseCodeList} returns them again. */
export function formatCodeList(codes: readonly string[]): string {
  return codes.map((code) => code.replace(/[\\,]/g, "\\$&")).join(",");
}
