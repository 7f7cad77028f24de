// Pure: no I/O, clock or randomness.
import { createInputError, type ScimError } from "./scim-error.ts";

const COMPARISONS = ["eq", "ne", "co", "sw", "ew", "gt", "ge", "lt", "le"] as const;

export type Comparison = (typeof COMPARISONS)[number];
/** Value in a condition. Numbers stay strings, because no attribute is a number. */
export type FilterValue = string | boolean | null;

/**
 * Parsed filter (RFC 7644 section 3.4.2.2). Paths are in lower case and without the schema's URN. `element`
 * is a filter such as `emails[type eq "work"]`, which one value must match as a whole. Its conditions have
 * complete paths, here `emails.type`.
 */
export type Filter =
  | { kind: "comparison"; path: string; comparison: Comparison; value: FilterValue }
  | { kind: "present"; path: string }
  | { kind: "and" | "or"; filters: Filter[] }
  | { kind: "not"; filter: Filter }
  | { kind: "element"; path: string; filter: Filter };

const FILTER_MAX_LENGTH = 2_000;
/**
 * Maximum nesting of parentheses, brackets and `not`. Bounds the recursion of all functions that read a
 * filter.
 */
const DEPTH_MAX = 10;
/** Maximum number of conditions in a filter. Each binds up to two values, and a statement can bind 100. */
const CONDITIONS_MAX = 30;

// Sticky patterns whose alternatives start with different characters, so that matching takes linear time.
const SPACE = /[ \t\r\n]*/y;
const NAME = /[A-Za-z$][\w$.:-]*/y;
const TEXT = /"(?:[^"\\]|\\.)*"/sy;
const BARE_VALUE = /[^\s()[\]"]+/y;

/** Parses a filter. Throws `invalidFilter`. */
export function parseFilter(text: string): Filter {
  if (text.length > FILTER_MAX_LENGTH) {
    throw createFilterError(`must have at most ${FILTER_MAX_LENGTH} characters`);
  }
  if (!text.isWellFormed() || text.includes("\0")) throw createFilterError("must be a string");
  const parser = new FilterParser(text);
  const filter = parser.parseAlternatives("");
  parser.requireEnd();
  return filter;
}

/** Returns an attribute's path in lower case, without the schema's URN. */
export function normalizePath(path: string): string {
  const end = path.toLowerCase().startsWith("urn:") ? path.lastIndexOf(":") : -1;
  return path.slice(end + 1).toLowerCase();
}

function createFilterError(problem: string): ScimError {
  return createInputError("invalidFilter", `The filter ${problem}.`);
}

class FilterParser {
  readonly #text: string;
  #offset = 0;
  #depth = 0;
  #conditions = 0;

  constructor(text: string) {
    this.#text = text;
  }

  requireEnd(): void {
    if (this.#peek() !== "") throw this.#createError("the end");
  }

  /**
   * Parses conditions joined by `or`, which has lower precedence than `and`. Prepends `prefix` to each path.
   */
  parseAlternatives(prefix: string): Filter {
    const filters = [this.#parseConjunction(prefix)];
    while (this.#takeWord("or")) filters.push(this.#parseConjunction(prefix));
    return joinFilters("or", filters);
  }

  #parseConjunction(prefix: string): Filter {
    const filters = [this.#parseTerm(prefix)];
    while (this.#takeWord("and")) filters.push(this.#parseTerm(prefix));
    return joinFilters("and", filters);
  }

  #parseTerm(prefix: string): Filter {
    if (this.#peek() === "(") return this.#parseNested("(", ")", prefix);
    const path = this.#match(NAME);
    if (path === null) throw this.#createError("an attribute");
    if (path.toLowerCase() === "not" && this.#peek() === "(") {
      return { kind: "not", filter: this.#parseNested("(", ")", prefix) };
    }
    const fullPath = prefix + normalizePath(path);
    return this.#peek() === "[" ? this.#parseValuePath(fullPath) : this.#parseCondition(fullPath);
  }

  /**
   * Parses `emails[type eq "work"]`, and `emails[type eq "work"].value eq "x"` as sent by Microsoft Entra.
   */
  #parseValuePath(path: string): Filter {
    const inner = this.#parseNested("[", "]", `${path}.`);
    if (!this.#take(".")) return { kind: "element", path, filter: inner };
    const name = this.#match(NAME);
    if (name === null) throw this.#createError("a sub-attribute");
    const condition = this.#parseCondition(`${path}.${name.toLowerCase()}`);
    return { kind: "element", path, filter: joinFilters("and", [inner, condition]) };
  }

  #parseNested(opener: string, closer: string, prefix: string): Filter {
    this.#take(opener);
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw createFilterError(`must be nested at most ${DEPTH_MAX} levels deep`);
    const filter = this.parseAlternatives(prefix);
    if (!this.#take(closer)) throw this.#createError(`\`${closer}\``);
    this.#depth -= 1;
    return filter;
  }

  #parseCondition(path: string): Filter {
    this.#conditions += 1;
    if (this.#conditions > CONDITIONS_MAX) {
      throw createFilterError(`must have at most ${CONDITIONS_MAX} conditions`);
    }
    if (this.#takeWord("pr")) return { kind: "present", path };
    const comparison = COMPARISONS.find((name) => this.#takeWord(name));
    if (comparison === undefined) throw this.#createError("an operator");
    return { kind: "comparison", path, comparison, value: this.#parseValue() };
  }

  /**
   * Parses a value. Accepts unquoted text, because the documentation of Microsoft Entra shows such filters.
   */
  #parseValue(): FilterValue {
    const quoted = this.#match(TEXT);
    if (quoted !== null) return this.#parseText(quoted);
    const bare = this.#match(BARE_VALUE);
    if (bare === null) throw this.#createError("a value");
    const keyword = bare.toLowerCase();
    if (keyword === "null") return null;
    if (keyword === "true" || keyword === "false") return keyword === "true";
    return bare;
  }

  #parseText(quoted: string): string {
    const text = parseString(quoted);
    if (text?.isWellFormed() && !text.includes("\0")) return text;
    throw createFilterError(`has an invalid JSON string before character ${this.#offset + 1}`);
  }

  /** Consumes a word, ignoring case, if it is next. */
  #takeWord(word: string): boolean {
    this.#match(SPACE);
    const end = this.#offset + word.length;
    const isNext = this.#text.slice(this.#offset, end).toLowerCase() === word;
    if (!isNext || /[\w$.:-]/.test(this.#text[end] ?? "")) return false;
    this.#offset = end;
    return true;
  }

  #take(character: string): boolean {
    const isNext = this.#peek() === character;
    if (isNext) this.#offset += 1;
    return isNext;
  }

  /** Returns the next character after white space, or "" at the end. */
  #peek(): string {
    this.#match(SPACE);
    return this.#text[this.#offset] ?? "";
  }

  #match(pattern: RegExp): string | null {
    if (pattern !== SPACE) this.#match(SPACE);
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.#offset += found.length;
    return found;
  }

  #createError(expected: string): ScimError {
    return createFilterError(`is invalid at character ${this.#offset + 1}: expected ${expected}`);
  }
}

function parseString(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}

function joinFilters(kind: "and" | "or", filters: Filter[]): Filter {
  const [first] = filters;
  return first !== undefined && filters.length === 1 ? first : { kind, filters };
}
