// Pure: no I/O, clock or randomness.
import type { PrintItem } from "./print-items.ts";

/** Patterns for file names and captions, such as `{n} {title}`. */

const PLACEHOLDER = /\{([^{}]+)\}/g;
const FILE_NAME_MAX_BYTES = 120;
/** Characters that Windows doesn't allow in file names, and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are replaced
const FORBIDDEN = /[<>:"/\\|?*\u0000-\u001f\u007f]+/g;
/** Names of devices on Windows, which can't be files, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)/i;

/** Returns the placeholders of a pattern that no item has. */
export function listUnknownPlaceholders(pattern: string, known: ReadonlySet<string>): string[] {
  const names = [...pattern.matchAll(PLACEHOLDER)].map(([, name = ""]) => name.toLowerCase());
  return names.filter((name) => !known.has(name));
}

/** Fills in an item's fields. `index` counts from 0, and `{n}` has as many digits as the last number. */
export function fillPattern(pattern: string, item: PrintItem, index: number, total: number): string {
  const serial = String(index + 1).padStart(String(total).length, "0");
  return pattern.replace(PLACEHOLDER, (_, name: string) => {
    const key = name.toLowerCase();
    return key === "n" ? serial : (item.fields.get(key) ?? "");
  });
}

/** Creates unique file names that are valid on every system. */
export class FileNames {
  readonly #used = new Set<string>();

  /** Returns a name with its extension. A name that is taken in any case gets a number. */
  create(text: string, extension: string): string {
    const base = cleanFileName(text);
    for (let count = 1; ; count++) {
      const name = `${base}${count === 1 ? "" : ` (${count})`}.${extension}`;
      const key = name.toLowerCase();
      if (this.#used.has(key)) continue;
      this.#used.add(key);
      return name;
    }
  }
}

/** Replaces what Windows doesn't allow in a file name, and cuts long names between characters. */
export function cleanFileName(text: string): string {
  const plain = text.normalize("NFC").replace(FORBIDDEN, "-");
  let name = "";
  let bytes = 0;
  for (const character of plain.trim()) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > FILE_NAME_MAX_BYTES) break;
    name += character;
  }
  name = name.replace(/^[\s.]+|[\s.]+$/g, "");
  if (name === "") return "code";
  return DEVICE.test(name) ? `_${name}` : name;
}
