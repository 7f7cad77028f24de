// Pure: no I/O, clock or randomness.
import { isJsonObject, type JsonObject } from "../../core/json-object.ts";
import { findJsonProblem } from "../../core/json-problem.ts";
import { ImportFormatError } from "./import-row.ts";
import { findValueEnd, listMembers, skipSpace } from "./json-offsets.ts";
import { LineCounter } from "./line-counter.ts";

/** Item of a JSON list. */
export interface JsonItem {
  /** Line where the item begins, starting at 1. For JSON on a single line, the number of the item. */
  line: number;
  value: unknown;
}

/** Names under which API responses contain their list, in the order in which they are tried. */
const LIST_NAMES = ["links", "shortUrls", "data", "results", "result", "items"];
/** Names of fields that only links have. An object with one of them is a link. */
const LINK_NAMES = ["url", "long_url", "longUrl", "originalURL", "destination", "target", "slug", "slashtag"];
/** Maximum nesting of lists. */
const DEPTH_MAX = 6;

/**
 * Reads the items of JSON: a list, an API response that contains a list, several responses in a list, or
 * several responses one after another. Lines must end with LF. Throws {@link ImportFormatError} if the text
 * isn't JSON or contains no list.
 */
export function readJsonItems(text: string): JsonItem[] {
  const items: JsonItem[] = [];
  const walk = new ItemWalk(text, items);
  let start = skipSpace(text, 0);
  while (start < text.length) {
    const end = findValueEnd(text, start);
    walk.add(parseDocument(text, start, end), start, 0);
    start = skipSpace(text, end);
  }
  return text.trimEnd().includes("\n") ? items : items.map((item, index) => ({ ...item, line: index + 1 }));
}

function parseDocument(text: string, start: number, end: number): unknown {
  try {
    return JSON.parse(text.slice(start, end));
  } catch {
    // The error thrown below contains the line and has the same message in all JavaScript engines.
  }
  const problem = findJsonProblem(text.slice(start, end));
  const firstLine = new LineCounter(text).lineAt(start);
  const line = firstLine + (problem?.line ?? 1) - 1;
  throw new ImportFormatError(
    `line ${line}: found ${problem?.message.replace(/^unexpected /, "") ?? "no JSON"}`,
  );
}

/** Walks through parsed JSON in text order and collects the items. */
class ItemWalk {
  readonly #text: string;
  readonly #lines: LineCounter;
  readonly #items: JsonItem[];

  constructor(text: string, items: JsonItem[]) {
    this.#text = text;
    this.#lines = new LineCounter(text);
    this.#items = items;
  }

  /** Adds the items of a value that begins at offset `start`. */
  add(value: unknown, start: number, depth: number): void {
    if (Array.isArray(value) && depth < DEPTH_MAX) {
      for (const [index, member] of listMembers(this.#text, start).entries()) {
        this.add(value[index], member.start, depth + 1);
      }
    } else if (isJsonObject(value) && !isLink(value) && depth < DEPTH_MAX)
      this.#addEnvelope(value, start, depth);
    else this.#items.push({ line: this.#lines.lineAt(start), value });
  }

  #addEnvelope(value: JsonObject, start: number, depth: number): void {
    const name = LIST_NAMES.find((candidate) => isList(value[candidate]));
    const list = name === undefined ? undefined : value[name];
    const listStart = listMembers(this.#text, start).findLast((member) => member.name === name)?.start;
    if (name === undefined || listStart === undefined) {
      const line = this.#lines.lineAt(start);
      // Some services return no list at all if a page has no links.
      if (typeof value.statusCode === "string") return;
      if (depth > 0) {
        this.#items.push({ line, value });
        return;
      }
      throw new ImportFormatError(
        `line ${line}: found an object with ${describeNames(value)}, expected a link or a list of links`,
      );
    }
    if (isJsonObject(list) && !hasList(list)) this.#addNamed(list, listStart);
    else this.add(list, listStart, depth + 1);
  }

  /** Adds the members of an object that is used as a list: `{"link_1": {…}, "link_2": {…}}`. */
  #addNamed(list: JsonObject, start: number): void {
    for (const member of listMembers(this.#text, start)) {
      this.#items.push({ line: this.#lines.lineAt(member.start), value: list[member.name] });
    }
  }
}

function isLink(value: JsonObject): boolean {
  return LINK_NAMES.some((name) => typeof value[name] === "string");
}

function isList(value: unknown): boolean {
  return Array.isArray(value) || isJsonObject(value);
}

function hasList(value: JsonObject): boolean {
  return LIST_NAMES.some((name) => isList(value[name]));
}

const NAMES_SHOWN = 8;
const NAME_SHOWN_LENGTH = 40;

/** Lists an object's field names for a message. */
export function describeNames(value: JsonObject): string {
  const names = Object.keys(value).map((name) => name.slice(0, NAME_SHOWN_LENGTH));
  if (names.length === 0) return "nothing in it";
  const rest = names.length - NAMES_SHOWN;
  return names.slice(0, NAMES_SHOWN).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
