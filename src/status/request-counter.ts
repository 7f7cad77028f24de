import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import type { RequestCount } from "./request-counts.ts";

/**
 * Counts requests and failures of this isolate. It reports soon after a failure, otherwise every ten minutes, so that
 * redirects cost almost no written rows. Counts of isolates that end before they report are lost, so the rate of failures
 * is rather too high than too low.
 */

/** Time after which an isolate reports its counts. */
const REPORT_MS = 10 * MINUTE_MS;
/** Minimum time between two reports of an isolate. */
const REPORT_PAUSE_MS = 10 * SECOND_MS;

/** Counts of one isolate since its last report, by surface. */
export class RequestCounter {
  #counts = new Map<string, RequestCount>();
  #hasFailed = false;
  #reportedAtMs: number | null = null;

  /** Counts a request. Returns the counts to report now, or null. */
  count(surface: string, status: number, nowMs: number): ReadonlyMap<string, RequestCount> | null {
    // The first failure of an isolate is reported at once.
    this.#reportedAtMs ??= nowMs - REPORT_PAUSE_MS;
    const count = this.#counts.get(surface) ?? { requests: 0, failures: 0 };
    count.requests++;
    if (status >= 500) {
      count.failures++;
      this.#hasFailed = true;
    }
    this.#counts.set(surface, count);
    if (nowMs - this.#reportedAtMs < (this.#hasFailed ? REPORT_PAUSE_MS : REPORT_MS)) return null;
    const counts = this.#counts;
    this.#counts = new Map();
    this.#hasFailed = false;
    this.#reportedAtMs = nowMs;
    return counts;
  }
}

const counter = new RequestCounter();

/** Counts a request of this isolate, and reports the counts after the response if that is due. */
export function countRequest(
  directory: D1Database,
  surface: string,
  status: number,
  context: Pick<ExecutionContext, "waitUntil">,
): void {
  // A clock that is set doesn't cause or delay a report.
  const counts = counter.count(surface, status, performance.now());
  if (counts !== null) context.waitUntil(report(directory, counts, Date.now()));
}

async function report(
  directory: D1Database,
  counts: ReadonlyMap<string, RequestCount>,
  nowMs: number,
): Promise<void> {
  const { addCounts } = await import("./request-counts.ts");
  // Not logged: most failures are counted while the database fails, which the status shows anyway.
  await addCounts(directory, counts, nowMs).catch(() => {});
}
