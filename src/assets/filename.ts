export const FILENAME_MAX_LENGTH = 255;

// Beside the control characters, those that turn the direction of text: "fdp.exe" must not read as "exe.pdf".
const FORBIDDEN = /[/\\\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

/** What keeps `name` from being a file name, worded to follow the name of its field; null if nothing does. */
export function filenameFault(name: string): string | null {
  if (name.length < 1 || name.length > FILENAME_MAX_LENGTH) {
    return `must have 1 to ${FILENAME_MAX_LENGTH} characters`;
  }
  if (FORBIDDEN.test(name)) return "must not contain slashes, control or text direction characters";
  if (name.trim() === "" || name === "." || name === "..") return "must be the name of a file";
  return null;
}
