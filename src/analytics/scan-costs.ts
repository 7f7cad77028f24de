import { logError } from "../core/log.ts";
import { DAY_MS, SECOND_MS } from "../core/time.ts";
import { DAYS_KEPT } from "./retention.ts";

/** Minimum time between two writes by an isolate. Many batches have few scans, and each write costs a row. */
const WRITE_INTERVAL_MS = 10 * SECOND_MS;

/** Number of scans, and of the rows that D1 wrote for them. */
export interface ScanCosts {
  scans: number;
  /** Rows of links, roll-ups, counted windows and moved logs. */
  counted: number;
  /** Rows that sweeps deleted, folded and summed. */
  swept: number;
  /** Rows of `link.scanned` events. */
  events: number;
}

/**
 * Collects the costs of scans and adds them to the row of the day. When an isolate ends, costs that it hasn't
 * written are lost. The number of their scans is lost with them, so the number of rows per scan stays
 * correct.
 */
export class CostRecorder {
  #pending: ScanCosts = { scans: 0, counted: 0, swept: 0, events: 0 };
  #writtenAtMs = Number.NEGATIVE_INFINITY;

  /**
   * Adds costs. Writes all pending costs if {@link WRITE_INTERVAL_MS} has passed since the last write. Never
   * throws.
   */
  async record(d1: D1Database, costs: Partial<ScanCosts>, nowMs: number): Promise<void> {
    this.#add(costs);
    if (nowMs - this.#writtenAtMs < WRITE_INTERVAL_MS || isEmpty(this.#pending)) return;
    const { scans, counted, swept, events } = this.#pending;
    this.#pending = { scans: 0, counted: 0, swept: 0, events: 0 };
    this.#writtenAtMs = nowMs;
    try {
      const statement = d1.prepare(ADD_COSTS).bind(Math.floor(nowMs / DAY_MS), scans, counted, swept, events);
      const { meta } = await statement.run();
      this.#add({ counted: meta.rows_written });
    } catch (error) {
      logError("the costs of scans could not be written; the next attempt writes them", error);
      this.#add({ scans, counted, swept, events });
    }
  }

  #add({ scans = 0, counted = 0, swept = 0, events = 0 }: Partial<ScanCosts>): void {
    this.#pending.scans += scans;
    this.#pending.counted += counted;
    this.#pending.swept += swept;
    this.#pending.events += events;
  }
}

/**
 * Returns true if nothing but the recorder's own row is left to count. That row alone must not cause another
 * write.
 */
function isEmpty({ scans, swept }: ScanCosts): boolean {
  return scans === 0 && swept === 0;
}

/** Recorders of this isolate, one per shard. */
const recorders = new WeakMap<D1Database, CostRecorder>();

/** Records costs on a shard. Never throws. */
export function recordCosts(d1: D1Database, costs: Partial<ScanCosts>, nowMs: number): Promise<void> {
  const recorder = recorders.get(d1) ?? new CostRecorder();
  recorders.set(d1, recorder);
  return recorder.record(d1, costs, nowMs);
}

/** Returns the number of rows that statements wrote, including index rows. */
export function sumRowsWritten(results: readonly D1Result[]): number {
  return results.reduce((sum, { meta }) => sum + meta.rows_written, 0);
}

/** Deletes costs older than the retention. */
export async function sweepCosts(d1: D1Database, nowMs: number): Promise<void> {
  await d1
    .prepare("DELETE FROM scan_costs WHERE day <= ?1")
    .bind(Math.floor(nowMs / DAY_MS) - DAYS_KEPT)
    .run();
}

const ADD_COSTS = `
  INSERT INTO scan_costs (day, scans, counted, swept, events) VALUES (?1, ?2, ?3, ?4, ?5)
  ON CONFLICT (day) DO UPDATE SET
    scans = scans + excluded.scans, counted = counted + excluded.counted,
    swept = swept + excluded.swept, events = events + excluded.events`;
