import { CountingWindow } from "../counting/window.ts";

/** One counted scan, as it travels from the redirect to the counts. No IP address is in it. */
export interface Scan {
  workspaceId: string;
  linkId: string;
  shortCode: string;
  /** The address the visitor was sent to. */
  destination: string;
  /** The routing rule that chose it: its name, or its place (`#1`); null for the link's own destination. */
  rule: string | null;
  scannedAtMs: number;
  country: string | null;
  /** ISO 3166-2. */
  region: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** The language the visitor likes best, in lower case. */
  language: string | null;
  /** Host of the page the link was on. */
  referrer: string | null;
}

/** Everything of a scan but its destination, as JSON. */
const SCAN_BYTES = 700;

const scans = new CountingWindow<Scan>();

/** Records a scan, to be counted within a moment; never fails the redirect it belongs to. */
export function recordScan(queue: Queue, scan: Scan, waitUntil: (promise: Promise<unknown>) => void): void {
  scans.record(queue, scan, SCAN_BYTES + 3 * scan.destination.length, scan.scannedAtMs, waitUntil);
}
