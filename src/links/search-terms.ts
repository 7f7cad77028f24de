import { toHex } from "../core/crypto.ts";
import { SLUG_PATTERN } from "../routing/short-code.ts";

/** Number of characters of a destination that a search looks at. The index has the terms of these. */
export const SEARCHED_CHARACTERS = 1_024;

/** Number of neighbouring characters of a text that make a term of the search index. */
const TERM_CHARACTERS = 3;

/** Maximum number of terms of a query. Each costs up to 0.1 µs for every link that the query passes over. */
const TERMS_MAX = 8;

/** Character that precedes each text in the index; the code has it twice. No text contains it. */
const MARK = "\u0002";

/** Text of a search, prepared for the index. */
export interface SearchText {
  /** Text to find, with A to Z in lower case. */
  needle: string;
  /** True if the text is found only at the start of a code, since it is shorter than a term. */
  isStart: boolean;
  /** Characters of the terms that every found link has, in UTF-8 and hexadecimal. */
  terms: string[];
}

/**
 * Prepares a text of at least one character for a search. Only A to Z match in either case, as in SQLite's `lower()`. A
 * long text gives terms in equal distances: a link that has all of them is read and compared with the whole text.
 */
export function prepareSearch(text: string): SearchText {
  const needle = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const isStart = [...needle].length < TERM_CHARACTERS;
  // Every destination has the terms of a scheme, so they select nothing.
  const address = [...needle.replace(/^https?:\/\//, "")];
  const characters = address.length < TERM_CHARACTERS ? [...needle] : address;
  if (isStart) characters.unshift(...MARK.repeat(TERM_CHARACTERS - characters.length));
  const starts = characters.length - TERM_CHARACTERS + 1;
  const terms = Array.from({ length: starts }, (_, start) =>
    characters.slice(start, start + TERM_CHARACTERS).join(""),
  );
  return { needle, isStart, terms: pickEvenly([...new Set(terms)], TERMS_MAX).map(encodeHex) };
}

/** Returns a warning about a short text with characters that codes, and so their starts, do not have; else none. */
export function listSearchWarnings(text: string | undefined): string[] {
  if (text === undefined || [...text].length >= TERM_CHARACTERS || SLUG_PATTERN.test(text)) return [];
  return [
    `search: a text of fewer than ${TERM_CHARACTERS} characters is found at the start of short codes only, and none begins with this one.`,
  ];
}

/** Returns at most `count` items in equal distances, the first and the last among them. */
function pickEvenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  const distance = (items.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => items[Math.round(index * distance)] as Item);
}

const encoder = new TextEncoder();

function encodeHex(text: string): string {
  return toHex(encoder.encode(text));
}
