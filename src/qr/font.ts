// Pure: no I/O, clock or randomness.
/// <reference path="./font-outlines.d.ts" />
import type { Path } from "./path.ts";

/** Font of the texts on frames and sheets. Its texts are drawn as outlines, so that they look the same everywhere. */

/** Glyph of a character. Measures are in thousandths of the font size. */
interface Glyph {
  advance: number;
  outline: Path;
}

export interface Font {
  /** Returns the glyph of a character, or null if the font doesn't have it. */
  find(character: string): Glyph | null;
}

/** Height of capital letters in thousandths of the font size. */
export const CAPITAL_HEIGHT = 727;

const COMMAND = /([Mlqz])([^Mlqz]*)/g;
const NUMBER = /-?\d+/g;

/** Opens a font from the text that `cli/woff-outlines.ts` formats: outlines, and below an empty line the characters. */
export function openFont(text: string): Font {
  const [outlines = "", characters = ""] = text.split("\n\n");
  const paths = outlines.split("\n");
  const lines = new Map(
    characters.split("\n").map((line) => {
      const end = line.indexOf(" ");
      return [Number.parseInt(line.slice(0, end), 36), line.slice(end + 1)];
    }),
  );
  const known = new Map<string, Glyph>();
  return {
    find(character) {
      const glyph = known.get(character);
      if (glyph !== undefined) return glyph;
      const line = lines.get(character.codePointAt(0) ?? 0);
      if (line === undefined) return null;
      const [advance, ...parts] = line.split(" ");
      const outline = parts.flatMap((part) => {
        const [index, x = 0, y = 0] = part.split(",").map(Number) as [number, number?, number?];
        return readOutline(paths[index] ?? "", x, y);
      });
      const read = { advance: Number(advance), outline };
      known.set(character, read);
      return read;
    },
  };
}

/** Reads an outline, whose commands are relative, and moves it. */
function readOutline(text: string, left: number, top: number): Path {
  const path: Path[number][] = [];
  let [x, y] = [left, top];
  for (const [, command, numbers = ""] of text.matchAll(COMMAND)) {
    const [a = 0, b = 0, c = 0, d = 0] = (numbers.match(NUMBER) ?? []).map(Number);
    if (command === "M") path.push(["M", left + a, top + b]);
    if (command === "l") path.push(["L", x + a, y + b]);
    if (command === "q") path.push(["Q", x + a, y + b, x + c, y + d]);
    const last = path.at(-1);
    if (last !== undefined) [x, y] = last[0] === "Q" ? [last[3], last[4]] : [last[1], last[2]];
  }
  return path;
}

/** Returns the first character that the font doesn't have, or null. */
export function findMissingCharacter(text: string, font: Font): string | null {
  return [...text.normalize("NFC")].find((character) => font.find(character) === null) ?? null;
}

/** Explains why a character isn't drawn. */
export function explainMissingCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `“${character}” (U+${code}) cannot be drawn: the font has Latin, Greek and Cyrillic letters, digits and punctuation`;
}

/** Measures a text in thousandths of the font size. */
export function measureText(text: string, font: Font): number {
  return [...text.normalize("NFC")].reduce((sum, character) => sum + (font.find(character)?.advance ?? 0), 0);
}

/** Draws a text from the left end of its baseline. Characters that the font doesn't have are left out. */
export function drawText(text: string, font: Font, left: number, baseline: number, size: number): Path {
  const scale = size / 1_000;
  let x = left;
  return [...text.normalize("NFC")].flatMap((character) => {
    const { advance = 0, outline = [] } = font.find(character) ?? {};
    const start = x;
    x += advance * scale;
    return outline.map((segment): Path[number] =>
      segment[0] === "Q"
        ? [
            "Q",
            start + segment[1] * scale,
            baseline + segment[2] * scale,
            start + segment[3] * scale,
            baseline + segment[4] * scale,
          ]
        : [segment[0], start + segment[1] * scale, baseline + segment[2] * scale],
    );
  });
}

/** Loads the font, which is 168 kB long and therefore only loaded when a text is drawn. */
export async function loadFont(): Promise<Font> {
  loading ??= import("../../dist/font/outlines.js").then(({ FONT_OUTLINES }) => openFont(FONT_OUTLINES));
  return loading;
}

let loading: Promise<Font> | null = null;
