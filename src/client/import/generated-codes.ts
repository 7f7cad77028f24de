import { CODE_ALPHABET, CODE_LENGTH } from "../../routing/short-code.ts";
import { type FaultyRow, type ImportRow, isImportRow } from "./import-row.ts";

/**
 * Short codes for rows that bring none. They derive from the workspace and the row, so that the same file has the same
 * codes in each run: what an earlier run has made is found by its code, after a kill as well as after a month. Nobody who
 * does not know the id of the workspace can tell the code of a destination.
 */

/** Row with the codes that it may get: its own, or generated ones in the order in which they are tried. */
export interface CodedRow extends ImportRow {
  codes: readonly string[];
  isGenerated: boolean;
}

/** Row that an import can be planned with. */
export type PreparedRow = CodedRow | FaultyRow;

/** Codes of one row: among 10^10 the second is hardly ever needed. */
const CODES_PER_ROW = 3;

const encoder = new TextEncoder();

/**
 * Gives each row its codes. `readSeed` is only called if a row needs a generated one. Rows that are equal count, so that
 * each has a code of its own.
 */
export async function giveCodes(
  rows: readonly (ImportRow | FaultyRow)[],
  readSeed: () => Promise<string>,
): Promise<PreparedRow[]> {
  let seed: string | undefined;
  const seen = new Map<string, number>();
  const prepared: PreparedRow[] = [];
  for (const row of rows) {
    if (!isImportRow(row)) {
      prepared.push(row);
    } else if (row.link.custom_slug !== undefined) {
      prepared.push({ ...row, codes: [row.link.custom_slug], isGenerated: false });
    } else {
      seed ??= await readSeed();
      // The expiry of a link that another service has closed is the time of the run.
      const identity = JSON.stringify({ ...row.link, expires_at: undefined });
      const occurrence = seen.get(identity) ?? 0;
      seen.set(identity, occurrence + 1);
      prepared.push({ ...row, codes: await deriveCodes([seed, occurrence, identity]), isGenerated: true });
    }
  }
  return prepared;
}

/** Derives the codes of a row from what identifies it. */
async function deriveCodes(identity: readonly unknown[]): Promise<string[]> {
  const text = encoder.encode(`code of an imported link\n${JSON.stringify(identity)}`);
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-512", text));
  // Bytes from the last multiple of the alphabet's length on would favour its start.
  const limit = 256 - (256 % CODE_ALPHABET.length);
  const letters = [...bytes]
    .filter((byte) => byte < limit)
    .map((byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]);
  return Array.from({ length: CODES_PER_ROW }, (_, index) =>
    letters.slice(index * CODE_LENGTH, (index + 1) * CODE_LENGTH).join(""),
  );
}
