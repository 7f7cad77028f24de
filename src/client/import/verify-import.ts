// Pure: no I/O, clock or randomness.
import { runConcurrently } from "../../core/run-concurrently.ts";
import { findDifference, type UrlResult } from "./compare-responses.ts";
import { formatCodeUrl, getOldCode } from "./fit-code.ts";
import { findLink, type ImportPlan, type PlannedRow } from "./plan-import.ts";

/** Row whose old and new URLs are compared. */
export interface RowToVerify {
  line: number;
  formerUrl: string;
  /** URL of the row's code here, or null if the workspace has no link with the code. */
  shortUrl: string | null;
}

/** Result of comparing a row's URLs. */
export interface VerifiedRow extends RowToVerify {
  former: UrlResult | null;
  current: UrlResult | null;
  /** Difference between the responses, or null. */
  difference: string | null;
}

/** Functions that request the two URLs. */
export interface VerifyPlatform {
  requestFormer: (url: string) => Promise<UrlResult>;
  requestCurrent: (url: string) => Promise<UrlResult>;
}

/** Maximum number of rows compared at the same time. */
const PARALLEL_ROWS = 5;

/** Lists the rows that can be compared: the rows with an old URL. Their old codes are requested here too. */
export function listRowsToVerify({ rows, known }: ImportPlan): RowToVerify[] {
  return rows.flatMap((planned: PlannedRow): RowToVerify[] => {
    const { line, formerUrl } = planned.row;
    if (formerUrl === null || planned.state === "faulty") return [];
    const code = getOldCode(planned.row.link) ?? planned.code;
    const link = findLink(known, code);
    return [{ line, formerUrl, shortUrl: link && formatCodeUrl(code, link.short_url) }];
  });
}

/** Picks rows that are evenly spread over a list. */
export function pickSample<Row>(rows: readonly Row[], size: number): Row[] {
  if (size >= rows.length) return [...rows];
  return Array.from({ length: size }, (_, index) => rows[Math.floor((index * rows.length) / size)] as Row);
}

/**
 * Requests both URLs of each row and compares the responses. Calls `onResult` once per row. Ends early if the
 * signal is aborted.
 */
export async function verifyRows(
  rows: readonly RowToVerify[],
  { requestFormer, requestCurrent }: VerifyPlatform,
  { onResult, signal }: { onResult: (row: VerifiedRow) => void; signal?: AbortSignal },
): Promise<void> {
  await runConcurrently(rows, PARALLEL_ROWS, async (row) => {
    if (signal?.aborted) return;
    if (row.shortUrl === null) {
      const difference = "no such link in this workspace";
      return onResult({ ...row, former: null, current: null, difference });
    }
    const former = await requestFormer(row.formerUrl);
    const current = await requestCurrent(row.shortUrl);
    onResult({ ...row, former, current, difference: findDifference(former, current) });
  });
}
