import { DurableObject } from "cloudflare:workers";
import { logError } from "../core/log.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { DatabaseBindings } from "../db/shards.ts";

/** Call that takes one of a limited link's remaining scans. */
export interface ScanRequest {
  /** Unique id of the visit. A call that is retried after a lost response has the same id and counts once. */
  scanId: string;
  workspaceId: string;
  linkId: string;
  /** Scan limit of the link state that the visit used. */
  scansMax: number;
  /** Time of the link state that has this limit, in Unix milliseconds. */
  updatedAtMs: number;
  /**
   * Number of scans by people that the database had counted for this link state or a later one. Includes
   * scans from before the limit was set.
   */
  scansCounted: number;
}

/** Result of taking a scan. */
export interface ScanVerdict {
  isTaken: boolean;
  /** Number of scans taken so far. Never decreases. */
  taken: number;
}

interface GateState {
  workspaceId: string;
  linkId: string;
  taken: number;
  scansMax: number;
  updatedAtMs: number;
  /** Ids of the last scans taken, latest first. */
  recent: string[];
}

const STATE_KEY = "gate";
/** Key of the time of the link state that was deleted, in Unix milliseconds. */
const CLOSED_KEY = "closed";
/**
 * Number of scans after which a retry is no longer recognized and takes another scan. Retries follow within
 * 100 ms, and an object handles fewer calls in that time.
 */
const RECENT_MAX = 512;
/** Interval at which the object checks whether its link still exists. */
const CHECK_MS = 30 * DAY_MS;
/**
 * Time until the next check after a failed one, and time for which a deleted link's gate stays closed to
 * caches that still have the link.
 */
const RECHECK_MS = HOUR_MS;

/**
 * Counts the scans of one link with `max_scans` and lets exactly that many through. The object handles one
 * call at a time, and its output gate holds back the response until the count is durable
 * (https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/). If a visit is interrupted
 * after taking a scan, that scan is lost; no scan is taken twice. The object deletes its storage once the
 * link has no limit or no longer exists.
 */
export class ScanGate extends DurableObject<DatabaseBindings> {
  /** Takes a scan for a visit if one is left. */
  async take(visit: ScanRequest): Promise<ScanVerdict> {
    const { storage } = this.ctx;
    const stored = storage.kv.get<GateState>(STATE_KEY);
    const closedMs = storage.kv.get<number>(CLOSED_KEY);
    if (closedMs !== undefined) {
      if (visit.updatedAtMs <= closedMs) return { isTaken: false, taken: stored?.taken ?? 0 };
      storage.kv.delete(CLOSED_KEY);
      await storage.setAlarm(Date.now() + CHECK_MS);
    }
    const state = advance(stored, visit);
    if (state.recent.includes(visit.scanId)) return { isTaken: true, taken: state.taken };
    const isTaken = state.taken < state.scansMax;
    if (isTaken) {
      state.taken += 1;
      state.recent = [visit.scanId, ...state.recent].slice(0, RECENT_MAX);
    }
    if (isTaken || stored?.updatedAtMs !== state.updatedAtMs) storage.kv.put(STATE_KEY, state);
    if (stored === undefined) await storage.setAlarm(Date.now() + CHECK_MS);
    return { isTaken, taken: state.taken };
  }

  /**
   * Returns the number of scans taken so far, without taking one. Returns 0 if no scan has been requested
   * yet.
   */
  count(): number {
    return this.ctx.storage.kv.get<GateState>(STATE_KEY)?.taken ?? 0;
  }

  /**
   * Closes the gate of a deleted link. Visitors whose cache still has this or an earlier state of the link then
   * don't get through. A visit to a later state shows that the link was restored, and opens the gate again.
   */
  async close(updatedAtMs: number): Promise<void> {
    this.ctx.storage.kv.put(CLOSED_KEY, updatedAtMs);
    await this.ctx.storage.setAlarm(Date.now() + RECHECK_MS);
  }

  /** Deletes the storage if the link no longer exists or no longer has a limit. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    try {
      const state = storage.kv.get<GateState>(STATE_KEY);
      const isOver = storage.kv.get(CLOSED_KEY) !== undefined || state === undefined;
      if (isOver || !(await this.#isLimited(state))) await storage.deleteAll();
      else await storage.setAlarm(Date.now() + CHECK_MS);
    } catch (error) {
      // Catches the error and sets another alarm, because the platform gives up after a few retries.
      logError("the gate of a limited link could not find out whether the link still exists", error);
      await storage.setAlarm(Date.now() + RECHECK_MS);
    }
  }

  // Imports lazily, so that a cold redirect doesn't evaluate the module.
  async #isLimited({ workspaceId, linkId }: GateState): Promise<boolean> {
    const { readStoredLink } = await import("../resolving/stored-link.ts");
    const link = await readStoredLink(this.env, workspaceId, linkId);
    return link !== null && link.maxScans !== null;
  }
}

/**
 * Merges a visit into the state: takes over the limit if the visit's link state is more recent, and the
 * number of scans if it includes scans that were counted without the gate.
 */
function advance(stored: GateState | undefined, visit: ScanRequest): GateState {
  const { workspaceId, linkId, scansMax, updatedAtMs, scansCounted } = visit;
  if (stored === undefined)
    return { workspaceId, linkId, taken: scansCounted, scansMax, updatedAtMs, recent: [] };
  const limit = updatedAtMs >= stored.updatedAtMs ? { scansMax, updatedAtMs } : {};
  return { ...stored, ...limit, taken: Math.max(stored.taken, scansCounted) };
}
