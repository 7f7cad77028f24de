import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { toBase64 } from "../core/crypto.ts";
import { logError } from "../core/log.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { repeatOnce } from "../db/retry.ts";
import type { ScanGate } from "./scan-gate.ts";
import type { Target } from "./target.ts";

/** Timeout of the gate, with a repetition. */
const GATE_TIMEOUT_MS = 10 * SECOND_MS;
/** Length of a scan's id, of which the gate keeps some hundred. Among these, two are hardly ever equal. */
const SCAN_ID_BYTES = 9;
const USED_UP_BYTES_MAX = 250_000;
const NUMBER_BYTES = 16;

/**
 * Numbers of scans that links without a scan left had taken. A number never decreases, so a limit that it reached stays
 * used up, and the visitors of a popular link that is used up cost no further calls.
 */
const usedUp = new ByteBoundedMap<number>(USED_UP_BYTES_MAX);

/** Gates of limited links, by the ids of the links. */
export type ScanGates = Pick<DurableObjectNamespace<ScanGate>, "getByName">;

/** Link with a limit. */
interface LimitedLink {
  id: string;
  workspaceId: string;
  updatedAt: number;
  /** Scans that were counted when the link was read. */
  scansCounted: number;
}

/** Takes one of the scans that are left of a limited link. Returns false if none is. Throws if its gate fails. */
export async function takeScan(gates: ScanGates, target: LimitedLink, scansMax: number): Promise<boolean> {
  const { id, workspaceId, updatedAt, scansCounted } = target;
  if ((usedUp.get(id) ?? 0) >= scansMax) return false;
  const visit = {
    scanId: toBase64(crypto.getRandomValues(new Uint8Array(SCAN_ID_BYTES))),
    workspaceId,
    linkId: id,
    scansMax,
    updatedAtMs: updatedAt,
    scansCounted,
  };
  // Whatever failed, a repetition is safe: it has the same id.
  const asking = repeatOnce(() => gates.getByName(id).take(visit), isNotOverloaded);
  const { isTaken, taken } = await withTimeout(asking, GATE_TIMEOUT_MS);
  if (!isTaken) usedUp.set(id, taken, NUMBER_BYTES);
  return isTaken;
}

/** Returns true unless an object has too many calls, which a repetition would add to. */
function isNotOverloaded(error: unknown): boolean {
  return (error as { overloaded?: boolean } | null)?.overloaded !== true;
}

/** Returns true if a link has a limit and no scan is left. Takes none. */
export async function isTargetUsedUp(gates: ScanGates, { id, guards }: Target): Promise<boolean> {
  if (guards === null || guards.maxScans === null) return false;
  const asking = repeatOnce(() => gates.getByName(id).count());
  const taken = await withTimeout(asking, GATE_TIMEOUT_MS);
  return Math.max(taken, guards.scansCounted) >= guards.maxScans;
}

/**
 * Closes the gate of a deleted link. One that cannot be reached finds out by itself, within a month, that its link is gone.
 * Never throws.
 */
export async function closeGate(gates: ScanGates, linkId: string): Promise<void> {
  try {
    await repeatOnce(() => gates.getByName(linkId).close());
  } catch (error) {
    logError(`the gate of the deleted link ${linkId} was not closed`, error);
  }
}
