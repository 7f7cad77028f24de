// Pure: no I/O, clock or randomness.

/** Maximum length of a file name in UTF-16 code units. */
export const FILENAME_MAX_LENGTH = 255;

// Besides slashes and control characters, rejects characters that change the text direction (Unicode UAX #9):
// with them, "gpj.exe" can be displayed as "exe.jpg".
const FORBIDDEN = /[/\\\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** Returns what is wrong with a file name, in the form "must …", or null if the name is valid. */
export function findFilenameProblem(name: string): string | null {
  if (name.length < 1 || name.length > FILENAME_MAX_LENGTH) {
    return `must have 1 to ${FILENAME_MAX_LENGTH} characters`;
  }
  if (FORBIDDEN.test(name))
    return "must not contain slashes, control characters or text direction characters";
  if (name.trim() === "" || name === "." || name === "..") return "must be a file name";
  return null;
}
