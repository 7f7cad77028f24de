// Pure: no I/O, clock or randomness.

/** Counts the rows of a CSV file (RFC 4180) while it is still downloading. */

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the lines of a file that arrives in chunks. Line breaks in quotes are part of a cell. */
export class LineCounter {
  /** Number of lines so far, including the header. */
  count = 0;
  #isQuoted = false;

  /** Adds the next chunk. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // A quote inside a quoted cell is doubled, so the state toggles twice and is correct again.
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_FEED && !this.#isQuoted) this.count++;
    }
  }
}
