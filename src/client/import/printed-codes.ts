// Pure: no I/O, clock or randomness.
import { formatCount } from "../../core/format-count.ts";
import { getOldCode } from "./fit-code.ts";
import type { PlannedRow } from "./plan-import.ts";

/** Code of the file that will not open its link any more. */
export interface LostCode {
  line: number;
  reason: string;
}

/** Answer to the question whether everything that was printed keeps working. */
export interface CodesVerdict {
  /** Number of rows with a code. */
  total: number;
  lost: readonly LostCode[];
}

/** Judges for each code of the file whether it keeps working after the import. */
export function judgeCodes(rows: readonly PlannedRow[]): CodesVerdict {
  let total = 0;
  const lost: LostCode[] = [];
  for (const planned of rows) {
    const { row } = planned;
    const code = "link" in row ? getOldCode(row.link) : row.code;
    if (code === null) continue;
    total++;
    if (planned.state === "conflict" || planned.state === "faulty")
      lost.push({ line: row.line, reason: planned.reason });
    else if (planned.code !== code) lost.push({ line: row.line, reason: `${code} becomes ${planned.code}` });
  }
  return { total, lost };
}

/** Formats the verdict as the first line of a plan. Returns null if the file has no codes. */
export function formatVerdict({ total, lost }: CodesVerdict): string | null {
  if (total === 0) return null;
  const all = total === 1 ? "The printed code" : `All ${total} printed codes`;
  if (lost.length === 0) return `${all} will keep working`;
  if (lost.length === total) return `${all} would stop working`;
  return `${lost.length} of ${formatCount(total, "printed code")} would stop working`;
}
