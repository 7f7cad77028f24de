/** Tells the lines of growing offsets in a text whose lines end with LF. All calls together read the text once. */
export class LineCounter {
  readonly #text: string;
  #line = 1;
  /** Offset of the end of the line; the length of the text for the last one. */
  #lineEnd: number;

  constructor(text: string) {
    this.#text = text;
    this.#lineEnd = this.#findLineEnd(0);
  }

  /** Returns the line of an offset, from 1. The offset must not be less than the last one. */
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
