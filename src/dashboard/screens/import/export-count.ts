/** Progress of a CSV file (RFC 4180) that is still arriving. */

const QUOTE = 0x22;
const LINE_FEED = 0x0a;

/** Counts the lines of a file that arrives in parts. Line breaks in quotes belong to a cell. */
export class LineCounter {
  /** Number of lines so far, the first one with the names included. */
  count = 0;
  #isQuoted = false;

  /** Counts on with the next part. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      // A quote within quotes is doubled, and so ends and begins them again.
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte === LINE_FEED && !this.#isQuoted) this.count++;
    }
  }
}
