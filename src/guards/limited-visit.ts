import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { toBase64 } from "../core/crypto.ts";
import { logError } from "../core/log.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { repeatOnce } from "../db/retry.ts";
import type { Target } from "../resolving/target.ts";
import type { ScanGate } from "./scan-gate.ts";

/** Timeout of a call to the scan gate, including one retry. */
const GATE_TIMEOUT_MS = 10 * SECOND_MS;
/** Size of a scan id. Gates keep a few hundred ids, and collisions among these are negligible. */
const SCAN_ID_BYTES = 9;
const USED_UP_BYTES_MAX = 250_000;
const NUMBER_BYTES = 16;

/**
 * Number of scans taken, by id of the links whose limit was reached. The number never decreases, so visits to
 * a link that is used up need no further calls until its limit is raised.
 */
const usedUp = new ByteBoundedMap<number>(USED_UP_BYTES_MAX);

/** Durable Objects that count the scans of limited links, by link id. */
export type ScanGates = Pick<DurableObjectNamespace<ScanGate>, "getByName">;

/** Link with a scan limit. */
interface LimitedLink {
  id: string;
  workspaceId: string;
  updatedAt: number;
  /** Number of scans that the database had counted when the link was read. */
  scansCounted: number;
}

/** Takes one of a limited link's remaining scans. Returns false if none is left. Throws if the gate fails. */
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
  // Retrying is safe after any failure, because the scan id stays the same.
  const asking = repeatOnce(() => gates.getByName(id).take(visit), isNotOverloaded);
  const { isTaken, taken } = await withTimeout(asking, GATE_TIMEOUT_MS);
  if (!isTaken) usedUp.set(id, taken, NUMBER_BYTES);
  return isTaken;
}

/** Returns false if the object is overloaded, because a retry would add to its load. */
function isNotOverloaded(error: unknown): boolean {
  return (error as { overloaded?: boolean } | null)?.overloaded !== true;
}

/** Returns true if a link has a scan limit and no scan is left. Takes no scan. */
export async function isTargetUsedUp(gates: ScanGates, { id, guards }: Target): Promise<boolean> {
  if (guards === null || guards.maxScans === null) return false;
  const asking = repeatOnce(() => gates.getByName(id).count());
  const taken = await withTimeout(asking, GATE_TIMEOUT_MS);
  return Math.max(taken, guards.scansCounted) >= guards.maxScans;
}

/**
 * Closes the gate of a deleted link. A visit to a later state of the link, which was restored, opens it again.
 * A gate that can't be reached checks within a month whether its link still exists. Never throws.
 */
export async function closeGate(
  gates: ScanGates,
  { id, updatedAt }: Pick<LimitedLink, "id" | "updatedAt">,
): Promise<void> {
  try {
    await repeatOnce(() => gates.getByName(id).close(updatedAt));
  } catch (error) {
    logError(`the gate of the deleted link ${id} could not be closed`, error);
  }
}
