// Pure: no I/O, clock or randomness.

/**
 * Converts increasing offsets to line numbers, in a text whose lines end with LF. All calls together scan the
 * text only once.
 */
export class LineCounter {
  readonly #text: string;
  #line = 1;
  /** Offset of the end of the current line, which is the text's length for the last line. */
  #lineEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = this.#findLineEnd(0);
  }

  /** Returns the line of an offset, starting at 1. Offsets must not decrease between calls. */
  lineAt(offset: number): number {
    while (this.#lineEnd < offset && this.#lineEnd < this.#text.length) {
      this.#line++;
      this.#lineEnd = this.#findLineEnd(this.#lineEnd + 1);
    }
    return this.#line;
  }

  #findLineEnd(start: number): number {
    const lineEnd = this.#text.indexOf("\n", start);
    return lineEnd < 0 ? this.#text.length : lineEnd;
  }
}
