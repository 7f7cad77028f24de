// Pure: no I/O, clock or randomness.
import { CODE_ALPHABET, CODE_LENGTH } from "../../routing/short-code.ts";
import { getOldCode } from "./fit-code.ts";
import { type ImportRow, type InvalidRow, isImportRow } from "./import-row.ts";
import { separateTwins } from "./twin-codes.ts";

/**
 * Generates short codes for rows without a code. The codes are derived from the workspace and the row, so
 * that a file gets the same codes in every run. This way, links from an earlier run are found by their codes,
 * right after a crash as well as a month later. Without the workspace's ID, the code for a destination can't
 * be guessed.
 */

/** Row with the codes that it may get: its old code, or generated codes in the order of attempts. */
export interface CodedRow extends ImportRow {
  codes: readonly string[];
  isGenerated: boolean;
}

/** Row from which an import can be planned. */
export type PreparedRow = CodedRow | InvalidRow;

/** Number of codes per row. With 10^10 possible codes, the second is hardly ever needed. */
const CODES_PER_ROW = 3;

const encoder = new TextEncoder();

/**
 * Assigns codes to each row. `readSeed` is only called if a row needs a generated code. Equal rows are
 * numbered, so that each of them gets its own code.
 */
export async function assignCodes(
  rows: readonly (ImportRow | InvalidRow)[],
  readSeed: () => Promise<string>,
): Promise<PreparedRow[]> {
  let seed: string | undefined;
  const seen = new Map<string, number>();
  const prepared: PreparedRow[] = [];
  for (const row of separateTwins(rows)) {
    const code = isImportRow(row) ? getOldCode(row.link) : null;
    if (!isImportRow(row)) {
      prepared.push(row);
    } else if (code !== null) {
      prepared.push({ ...row, codes: [code], isGenerated: false });
    } else {
      seed ??= await readSeed();
      // Leaves out the expiry, because `fitLink` may have set it to close the link.
      const identity = JSON.stringify({ ...row.link, expires_at: undefined });
      const occurrence = seen.get(identity) ?? 0;
      seen.set(identity, occurrence + 1);
      prepared.push({ ...row, codes: await deriveCodes([seed, occurrence, identity]), isGenerated: true });
    }
  }
  return prepared;
}

/** Derives the codes of a row from the values that identify it. */
async function deriveCodes(identity: readonly unknown[]): Promise<string[]> {
  const text = encoder.encode(`code of an imported link\n${JSON.stringify(identity)}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-512", text));
  // Skips bytes from the largest multiple of the alphabet's length upwards, because they would make the first
  // characters of the alphabet more likely.
  const limit = 256 - (256 % CODE_ALPHABET.length);
  const letters = [...bytes]
    .filter((byte) => byte < limit)
    .map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]);
  return Array.from({ length: CODES_PER_ROW }, (_, index) =>
    letters.slice(index * CODE_LENGTH, (index + 1) * CODE_LENGTH).join(""),
  );
}
