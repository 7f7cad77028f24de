/** Tells the lines of growing offsets in a text whose lines end with LF. */
export class LineCounter {
  #line = 1;
  #offset = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the line of an offset, from 1. The offset must not be less than the last one. */
  lineAt(offset: number): number {
    for (;;) {
      const lineEnd = this.#text.indexOf("\n", this.#offset);
      if (lineEnd < 0 || lineEnd >= offset) return this.#line;
      this.#line++;
      this.#offset = lineEnd + 1;
    }
  }
}
