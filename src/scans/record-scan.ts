import { logError } from "../core/log.ts";
import { CountingWindow } from "../counting/window.ts";
import { toDataPoint } from "./dimensions.ts";
import type { ScanFacts } from "./scan-facts.ts";
import { tidyScan } from "./tidy-scan.ts";
import { toTrafficClass } from "./traffic.ts";
import { type MarkedVisitor, VisitorMarker } from "./visitor-marker.ts";
import type { VisitorSalt } from "./visitor-salt.ts";

/** Scans of this isolate that wait to be sent to the queue. */
const scans = new CountingWindow<ScanFacts>();
const marker = new VisitorMarker();

/**
 * Bindings that receive scans: the queues for counts and roll-ups, and the Analytics Engine dataset.
 * `VISITOR_SALT` has the salt of visitor marks.
 */
export interface ScanSinks {
  VISITOR_SALT: DurableObjectNamespace<VisitorSalt>;
  SCAN_QUEUE: Queue;
  SCAN_SPARE_QUEUE: Queue;
  SCANS: AnalyticsEngineDataset;
}

/**
 * Records a scan, which is counted within seconds. Never throws, so that counting errors don't break
 * redirects.
 */
export function recordScan(
  sinks: ScanSinks,
  scan: ScanFacts,
  visitor: MarkedVisitor,
  scannedAtMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  const tidy = tidyScan(scan);
  const queues = { main: sinks.SCAN_QUEUE, spare: sinks.SCAN_SPARE_QUEUE };
  const isPerson = toTrafficClass(tidy.traffic) === "human";
  const markVisitor = isPerson ? marker.markLater(sinks.VISITOR_SALT, visitor, scannedAtMs) : undefined;
  scans.record(queues, tidy, scannedAtMs, waitUntil, markVisitor);
  try {
    sinks.SCANS.writeDataPoint(toDataPoint(tidy, scannedAtMs));
  } catch (error) {
    logError(`a scan of link ${tidy.linkId} did not reach Analytics Engine`, error);
  }
}
