import { DurableObject } from "cloudflare:workers";
import { logError } from "../core/log.ts";
import { DAY_MS, HOUR_MS } from "../core/time.ts";
import type { DatabaseBindings } from "../db/shards.ts";

/** Visit that asks for one of the scans that are left of a limited link. */
export interface ScanRequest {
  /** Id that no other visit has. A call that is repeated after its response was lost has the same id and counts once. */
  scanId: string;
  workspaceId: string;
  linkId: string;
  /** Limit of the link, as the visit knows it. */
  scansMax: number;
  /** Time of the state of the link that has this limit, in Unix milliseconds. */
  updatedAtMs: number;
  /** Scans of people that the database had counted in that state or later. Those from before the limit count too. */
  scansCounted: number;
}

/** Decision on a visit. */
export interface ScanVerdict {
  isTaken: boolean;
  /** Scans taken so far. It never decreases. */
  taken: number;
}

interface GateState {
  workspaceId: string;
  linkId: string;
  taken: number;
  scansMax: number;
  updatedAtMs: number;
  /** Ids of the last scans that were taken, latest first. */
  recent: string[];
}

const STATE_KEY = "gate";
const CLOSED_KEY = "closed";
/**
 * Number of scans after which a visit is no longer recognized as repeated: it then costs another scan. A repetition follows
 * within 100 ms, and an object handles fewer calls in that time.
 */
const RECENT_MAX = 512;
/** Time after which the object looks whether its link is still there. */
const CHECK_MS = 30 * DAY_MS;
/** Time until the next look after one that failed, and for which a deleted link stays closed to caches that still have it. */
const RECHECK_MS = HOUR_MS;

/**
 * Counts the scans of one link with `max_scans`, and lets so many through and no more. The object handles one call at a
 * time, and its output gate holds back the verdict until the count is durable
 * (https://blog.cloudflare.com/durable-objects-easy-fast-correct-choose-three/). A visit that dies after it has lost a
 * scan; none is given twice. Its storage is deleted once the link has no limit or is gone.
 */
export class ScanGate extends DurableObject<DatabaseBindings> {
  /** Takes a scan for a visit, if one is left. */
  async take(visit: ScanRequest): Promise<ScanVerdict> {
    const { storage } = this.ctx;
    if (storage.kv.get(CLOSED_KEY) !== undefined) return { isTaken: false, taken: visit.scansMax };
    const stored = storage.kv.get<GateState>(STATE_KEY);
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

  /** Returns the number of scans taken so far, and takes none. It is 0 if nobody has asked for one yet. */
  count(): number {
    return this.ctx.storage.kv.get<GateState>(STATE_KEY)?.taken ?? 0;
  }

  /** Closes the gate of a deleted link. Caches that have it for some seconds more then let nobody through. */
  async close(): Promise<void> {
    this.ctx.storage.kv.put(CLOSED_KEY, true);
    await this.ctx.storage.setAlarm(Date.now() + RECHECK_MS);
  }

  /** Deletes the storage if the link has no limit any more or is gone. */
  override async alarm(): Promise<void> {
    const { storage } = this.ctx;
    try {
      const state = storage.kv.get<GateState>(STATE_KEY);
      const isOver = storage.kv.get(CLOSED_KEY) !== undefined || state === undefined;
      if (isOver || !(await this.#isLimited(state))) await storage.deleteAll();
      else await storage.setAlarm(Date.now() + CHECK_MS);
    } catch (error) {
      // The platform would give up after some repetitions.
      logError("the gate of a limited link could not find out whether the link still exists", error);
      await storage.setAlarm(Date.now() + RECHECK_MS);
    }
  }

  // The import is lazy, so that a cold redirect does not evaluate it.
  async #isLimited({ workspaceId, linkId }: GateState): Promise<boolean> {
    const { readStoredLink } = await import("./stored-link.ts");
    const link = await readStoredLink(this.env, workspaceId, linkId);
    return link !== null && link.maxScans !== null;
  }
}

/**
 * Returns the state after what a visit knows: the limit of the later state of the link, and scans that were counted
 * without the gate.
 */
function advance(stored: GateState | undefined, visit: ScanRequest): GateState {
  const { workspaceId, linkId, scansMax, updatedAtMs, scansCounted } = visit;
  if (stored === undefined)
    return { workspaceId, linkId, taken: scansCounted, scansMax, updatedAtMs, recent: [] };
  const limit = updatedAtMs >= stored.updatedAtMs ? { scansMax, updatedAtMs } : {};
  return { ...stored, ...limit, taken: Math.max(stored.taken, scansCounted) };
}
