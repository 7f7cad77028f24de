// Pure: no I/O, clock or randomness.
import { toHex } from "../core/crypto.ts";
import { SLUG_PATTERN } from "../routing/short-code.ts";

/** Number of characters of a destination that are indexed and searched. */
export const SEARCHED_CHARACTERS = 1_024;

/** Length of a term in the search index (trigrams). */
const TERM_CHARACTERS = 3;

/** Maximum number of terms per query. Each term costs up to 0.1 µs for every link that the query skips. */
const TERMS_MAX = 8;

/**
 * Character that marks the start of a text in the index. Texts don't contain it. Short codes and aliases
 * start with two marks, so that their first one or two characters and the marks form a term.
 */
const MARK = "\u0002";

/** Search text, prepared for the index. */
export interface SearchText {
  /** Text to find, with A to Z in lower case. */
  needle: string;
  /** True if the text is shorter than a term and therefore only matches the start of short codes and aliases. */
  isStart: boolean;
  /** Terms that all matching links contain, as UTF-8 in hex. */
  terms: string[];
}

/**
 * Prepares a text of at least one character for a search. Only A to Z match in either case, as in SQLite's
 * `lower()`. For a long text, uses evenly spaced terms; links that contain all of them are then compared with
 * the whole text.
 */
export function prepareSearch(text: string): SearchText {
  const needle = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const isStart = [...needle].length < TERM_CHARACTERS;
  // Ignores the scheme's terms, because all destinations contain them.
  const address = [...needle.replace(/^https?:\/\//, "")];
  const characters = address.length < TERM_CHARACTERS ? [...needle] : address;
  if (isStart) characters.unshift(...MARK.repeat(TERM_CHARACTERS - characters.length));
  const starts = characters.length - TERM_CHARACTERS + 1;
  const terms = Array.from({ length: starts }, (_, start) =>
    characters.slice(start, start + TERM_CHARACTERS).join(""),
  );
  return { needle, isStart, terms: pickEvenly([...new Set(terms)], TERMS_MAX).map(encodeHex) };
}

/**
 * Returns a warning if a text is too short for the index and has characters that short codes can't contain.
 */
export function listSearchWarnings(text: string | undefined): string[] {
  if (text === undefined || [...text].length >= TERM_CHARACTERS || SLUG_PATTERN.test(text)) return [];
  return [
    `search: a search of fewer than ${TERM_CHARACTERS} characters only matches the start of short codes and aliases.`,
  ];
}

/** Returns at most `count` evenly spaced items, including the first and the last. */
function pickEvenly<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  const distance = (items.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => items[Math.round(index * distance)] as Item);
}

const encoder = new TextEncoder();

function encodeHex(text: string): string {
  return toHex(encoder.encode(text));
}
