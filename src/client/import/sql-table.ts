// Pure: no I/O, clock or randomness.
import type { CsvTable } from "./csv-table.ts";
import { ImportFormatError } from "./import-row.ts";
import { LineCounter } from "./line-counter.ts";

/** Matches texts that begin like a database dump. CSV and JSON don't. */
const DUMP_START = /^\s*(?:--|#|\/\*|(?:create|drop|insert|lock|set|start|use)\s)/i;
const INSERT = /\binsert\s+(?:ignore\s+)?into\s/i;

/**
 * Matches the next token of MySQL's SQL (https://dev.mysql.com/doc/refman/8.4/en/language-structure.html):
 * white space or a comment, a string, a quoted name, a word or number, or a single character.
 */
const TOKEN =
  /(?<gap>\s+|--(?=\s)[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/)|'(?<text>(?:[^'\\]+|\\[\s\S]|'')*)'|`(?<name>(?:[^`]+|``)*)`|(?<word>[\w.$+-]+)|(?<mark>[\s\S])/gy;

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  0: "\0",
  Z: "\u001a",
};

interface Token {
  kind: "text" | "name" | "word" | "mark";
  value: string;
  /** Offset in the dump. */
  start: number;
}

/** Returns true if a text is a database dump. */
export function isSqlDump(text: string): boolean {
  return DUMP_START.test(text) && INSERT.test(text);
}

/**
 * Reads the rows that a MySQL dump inserts into the table whose name ends with `suffix`, by mysqldump or
 * phpMyAdmin. Columns are named by the statement, or else by the table's definition in the dump. Lines must
 * end with LF. Throws {@link ImportFormatError} if there is no such table, or if a string isn't closed.
 */
export function readSqlTable(text: string, suffix: string): CsvTable {
  const dump = new DumpReader(text, suffix.toLowerCase());
  while (!dump.isDone) dump.readStatement();
  if (dump.header === null)
    throw new ImportFormatError(
      `line 1: found SQL without rows for a table named *${suffix}; export this table with its structure`,
    );
  const { header, records } = dump;
  // A dump often has many rows on one line, so their numbers are more helpful.
  const isLinePerRow = new Set(records.map(({ line }) => line)).size === records.length;
  return {
    header,
    headerLine: 1,
    records: isLinePerRow ? records : records.map((record, index) => ({ ...record, line: index + 1 })),
  };
}

/** Reads the statements of a dump one after another. */
class DumpReader {
  header: readonly string[] | null = null;
  readonly records: { line: number; cells: string[] }[] = [];
  isDone = false;
  readonly #text: string;
  readonly #suffix: string;
  readonly #lines: LineCounter;
  readonly #tokens: RegExp = new RegExp(TOKEN);
  /** Columns of the table by its definition. */
  #defined: readonly string[] = [];

  constructor(text: string, suffix: string) {
    this.#text = text;
    this.#suffix = suffix;
    this.#lines = new LineCounter(text);
  }

  /** Reads up to the end of the next statement. */
  readStatement(): void {
    const first = this.#next();
    const verb = first?.kind === "word" ? first.value.toLowerCase() : "";
    let last = first;
    if (verb === "insert" || verb === "create") {
      let table: Token | null = null;
      do {
        table = last;
        last = this.#next();
      } while (last !== null && !isMark(last, "(", ";") && !isWord(last, "values"));
      const isWanted = table?.value.toLowerCase().endsWith(this.#suffix) === true;
      if (isWanted && verb === "create" && isMark(last, "(")) this.#defined = this.#readNames();
      if (isWanted && verb === "insert" && last !== null) last = this.#readInsert(last);
    }
    while (last !== null && !isMark(last, ";")) last = this.#next();
  }

  /** Reads the names of a list, up to its closing bracket: the first name of each item that has one. */
  #readNames(): string[] {
    const names: string[] = [];
    let depth = 1;
    let isItemStart = true;
    for (let token = this.#next(); token !== null; token = this.#next()) {
      if (isMark(token, "(")) depth++;
      if (isMark(token, ")") && --depth === 0) break;
      if (isItemStart && token.kind === "name") names.push(token.value);
      isItemStart = depth === 1 && isMark(token, ",");
    }
    return names;
  }

  /** Reads the rest of an `INSERT`. Returns its last token. */
  #readInsert(first: Token): Token | null {
    let token: Token | null = first;
    const columns = isMark(token, "(") ? this.#readNames() : this.#defined;
    this.header ??= columns;
    while (token !== null && !isMark(token, ";")) {
      token = this.#next();
      if (isMark(token, "(")) this.#readRow(token as Token, columns);
    }
    return token;
  }

  #readRow({ start }: Token, columns: readonly string[]): void {
    const values: string[] = [];
    let value = "";
    for (let token = this.#next(); token !== null; token = this.#next()) {
      const isEnd = isMark(token, ")");
      if (isEnd || isMark(token, ",")) {
        values.push(value);
        value = "";
        if (isEnd) break;
      } else {
        value = isWord(token, "null") ? "" : token.value;
      }
    }
    const byColumn = new Map(columns.map((name, index) => [name, values[index] ?? ""]));
    this.records.push({
      line: this.#lines.lineAt(start),
      cells: (this.header ?? []).map((name) => byColumn.get(name) ?? ""),
    });
  }

  /** Returns the next token that isn't white space or a comment, or null at the end. */
  #next(): Token | null {
    for (;;) {
      const start = this.#tokens.lastIndex;
      const groups = this.#tokens.exec(this.#text)?.groups;
      if (groups === undefined) {
        this.isDone = true;
        return null;
      }
      const { gap, text, name, word, mark } = groups;
      if (gap !== undefined) continue;
      if (text !== undefined) return { kind: "text", value: decodeText(text), start };
      if (name !== undefined) return { kind: "name", value: name.replaceAll("``", "`"), start };
      if (word !== undefined) return { kind: "word", value: word, start };
      if (mark === "'")
        throw new ImportFormatError(`line ${this.#lines.lineAt(start)}: missing closing quote`);
      return { kind: "mark", value: mark ?? "", start };
    }
  }
}

function isMark(token: Token | null, ...marks: readonly string[]): boolean {
  return token?.kind === "mark" && marks.includes(token.value);
}

function isWord({ kind, value }: Token, word: string): boolean {
  return kind === "word" && value.toLowerCase() === word;
}

function decodeText(text: string): string {
  return text.replace(/\\([\s\S])|''/g, (_, escaped?: string) =>
    escaped === undefined ? "'" : (ESCAPES[escaped] ?? escaped),
  );
}
