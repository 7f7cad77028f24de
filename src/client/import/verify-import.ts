import { runConcurrently } from "../../core/run-concurrently.ts";
import { toCodeKey } from "../../routing/short-code.ts";
import { type Asked, findDifference } from "./compare-answers.ts";
import type { ImportPlan, PlannedRow } from "./plan-import.ts";

/** Row whose addresses are compared. */
export interface RowToVerify {
  line: number;
  formerUrl: string;
  /** Short address of the link here; null if the workspace has none for the row. */
  shortUrl: string | null;
}

/** Result of a row. */
export interface VerifiedRow extends RowToVerify {
  former: Asked | null;
  current: Asked | null;
  /** How the addresses differ, or null. */
  difference: string | null;
}

/** Ways to ask the two addresses. */
export interface VerifyPlatform {
  askFormer: (address: string) => Promise<Asked>;
  askCurrent: (address: string) => Promise<Asked>;
}

/** Rows that are asked at the same time. */
const PARALLEL_ROWS = 5;

/** Lists the rows that can be compared: those with a former address. */
export function listRowsToVerify({ rows, known }: ImportPlan): RowToVerify[] {
  return rows.flatMap((planned: PlannedRow): RowToVerify[] => {
    const { line, formerUrl } = planned.row;
    if (formerUrl === null || planned.state === "faulty") return [];
    const isThere = planned.state === "exists" || planned.state === "duplicate";
    const link = isThere ? known.get(toCodeKey(planned.code)) : null;
    return [{ line, formerUrl, shortUrl: link?.short_url ?? null }];
  });
}

/** Picks rows that are spread evenly over a list. */
export function pickSample<Row>(rows: readonly Row[], size: number): Row[] {
  if (size >= rows.length) return [...rows];
  return Array.from({ length: size }, (_, index) => rows[Math.floor((index * rows.length) / size)] as Row);
}

/** Requests both addresses of each row and compares their responses. Reports each result once; ends early if the signal is aborted. */
export async function verifyRows(
  rows: readonly RowToVerify[],
  { askFormer, askCurrent }: VerifyPlatform,
  { onResult, signal }: { onResult: (row: VerifiedRow) => void; signal?: AbortSignal },
): Promise<void> {
  await runConcurrently(rows, PARALLEL_ROWS, async (row) => {
    if (signal?.aborted) return;
    if (row.shortUrl === null) {
      const difference = "the workspace has no such link";
      return onResult({ ...row, former: null, current: null, difference });
    }
    const former = await askFormer(row.formerUrl);
    const current = await askCurrent(row.shortUrl);
    onResult({ ...row, former, current, difference: findDifference(former, current) });
  });
}
