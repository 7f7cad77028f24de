/** Position and description of a JSON syntax error. */
export interface JsonProblem {
  /** Line number, starting at 1. */
  line: number;
  /** Column in characters, starting at 1. */
  column: number;
  /** Unexpected and expected text, such as ``unexpected `}`, expected a value``. */
  message: string;
}

/** State between two tokens, named after what may follow. */
type Position = "value" | "value or end" | "name" | "name or end" | "colon" | "comma or end";

/**
 * State after a token. `done` means that the text is complete; an object means that the token was invalid.
 */
type ParserState = Position | "done" | { expected: string };

/**
 * Finds the first syntax error of a JSON text (RFC 8259), or returns null if the text is valid. Needed
 * because the error messages of `JSON.parse` differ between engines. Takes linear time. The result quotes
 * nothing of the text except the unexpected character.
 */
export function findJsonProblem(text: string): JsonProblem | null {
  const scanner = new JsonScanner(text);
  const expected = scanner.findUnmetExpectation();
  if (expected === null) return null;
  const message = `unexpected ${quoteCharacterAt(text, scanner.offset)}, expected ${expected}`;
  return { ...locate(text, scanner.offset), message };
}

class JsonScanner {
  offset = 0;
  readonly #text: string;
  /** Closing brackets of all open objects and arrays, innermost last. */
  readonly #closers: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Scans up to the first error and returns what was expected there, or null if there is no error. */
  findUnmetExpectation(): string | null {
    let state: ParserState = "value";
    while (typeof state === "string" && state !== "done") {
      this.#skipSpace();
      state = this.#scanToken(state);
    }
    return state === "done" ? null : state.expected;
  }

  #scanToken(position: Position): ParserState {
    switch (position) {
      case "value or end":
      case "name or end":
        if (this.#close()) return "comma or end";
        return this.#scanToken(position === "name or end" ? "name" : "value");
      case "value":
        if (this.#open("{", "}")) return "name or end";
        if (this.#open("[", "]")) return "value or end";
        return toState(this.#scanScalar(), "comma or end");
      case "name":
        return toState(this.#scanString("a name in double quotes"), "colon");
      case "colon":
        return this.#take(":") ? "value" : { expected: "a colon" };
      case "comma or end":
        return this.#scanCommaOrEnd();
    }
  }

  #scanCommaOrEnd(): ParserState {
    const closer = this.#closers.at(-1);
    if (closer === undefined) return this.#peek() === undefined ? "done" : { expected: "the end" };
    if (this.#take(",")) return closer === "}" ? "name" : "value";
    return this.#close() ? "comma or end" : { expected: `a comma or \`${closer}\`` };
  }

  /**
   * Scans a string, number, `true`, `false` or `null`. Returns what was expected, or null if the value is
   * valid.
   */
  #scanScalar(): string | null {
    const first = this.#peek();
    const word = ["true", "false", "null"].find((candidate) => candidate[0] === first);
    if (word !== undefined) return this.#scanWord(word);
    return first === "-" || isDigit(first) ? this.#scanNumber() : this.#scanString("a value");
  }

  #scanWord(word: string): string | null {
    for (const character of word) if (!this.#take(character)) return `\`${word}\``;
    return null;
  }

  #scanNumber(): string | null {
    this.#take("-");
    if (!this.#take("0") && !this.#takeDigits()) return "a digit";
    if (this.#take(".") && !this.#takeDigits()) return "a digit";
    if (this.#take("e") || this.#take("E")) {
      if (!this.#take("+")) this.#take("-");
      if (!this.#takeDigits()) return "a digit";
    }
    return null;
  }

  /** Scans a string. Returns `expected` if the next character isn't a quote. */
  #scanString(expected: string): string | null {
    if (!this.#take('"')) return expected;
    while (!this.#take('"')) {
      const character = this.#peek();
      if (character === undefined || character < " ") return "a double quote";
      this.offset++;
      const problem = character === "\\" ? this.#scanEscape() : null;
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Scans an escape sequence after its backslash. */
  #scanEscape(): string | null {
    if (!this.#take("u")) {
      const isEscape = '"\\/bfnrt'.includes(this.#peek() ?? " ");
      if (isEscape) this.offset++;
      return isEscape ? null : "an escape sequence";
    }
    for (let digits = 0; digits < 4; digits++) {
      if (!/[0-9a-f]/i.test(this.#peek() ?? "")) return "a hexadecimal digit";
      this.offset++;
    }
    return null;
  }

  #skipSpace(): void {
    while (this.#take(" ") || this.#take("\n") || this.#take("\r") || this.#take("\t"));
  }

  #takeDigits(): boolean {
    const start = this.offset;
    while (isDigit(this.#peek())) this.offset++;
    return this.offset > start;
  }

  /** Consumes an opening bracket if it is next. */
  #open(bracket: string, closer: string): boolean {
    const isNext = this.#take(bracket);
    if (isNext) this.#closers.push(closer);
    return isNext;
  }

  /** Consumes the closing bracket of the innermost object or array if it is next. */
  #close(): boolean {
    const isNext = this.#take(this.#closers.at(-1) ?? "");
    if (isNext) this.#closers.pop();
    return isNext;
  }

  #take(character: string): boolean {
    const isNext = this.#peek() === character;
    if (isNext) this.offset++;
    return isNext;
  }

  #peek(): string | undefined {
    return this.#text[this.offset];
  }
}

function toState(expected: string | null, next: Position): ParserState {
  return expected === null ? next : { expected };
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

/** Converts an offset to a line and column. Lines end with LF, CR or both. */
function locate(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let column = 1;
  for (let index = 0; index < offset; index++) {
    const unit = text.charCodeAt(index);
    if (unit === LINE_FEED || (unit === CARRIAGE_RETURN && text.charCodeAt(index + 1) !== LINE_FEED)) {
      line++;
      column = 1;
    } else if (!isTrailSurrogate(unit) || !isLeadSurrogate(text.charCodeAt(index - 1))) column++;
  }
  return { line, column };
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

function isLeadSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isTrailSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Quotes the character at an offset. Shows backticks and invisible characters as code points. */
function quoteCharacterAt(text: string, offset: number): string {
  const codePoint = text.codePointAt(offset);
  if (codePoint === undefined) return "end";
  if (codePoint === LINE_FEED || codePoint === CARRIAGE_RETURN) return "line break";
  const character = String.fromCodePoint(codePoint);
  if (/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) && character !== "`") return `\`${character}\``;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
