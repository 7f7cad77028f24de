import { uuidv7 } from "../../src/core/id.ts";
import type { Window } from "../../src/counting/window.ts";
import type { ScanFacts } from "../../src/scans/scan.ts";

/** A scan and when it was. */
export interface Scan extends ScanFacts {
  scannedAtMs: number;
}

/** A scan of which only what matters to a test is said. */
export function scanWith(facts: Pick<Scan, "workspaceId" | "linkId"> & Partial<Scan>): Scan {
  return {
    shortCode: "abcdefg",
    destination: "https://example.com/",
    rule: null,
    scannedAtMs: Date.now(),
    country: null,
    region: null,
    device: null,
    os: null,
    browser: null,
    language: null,
    referrer: null,
    ...facts,
  };
}

/** A window as the redirect sends it: scans that are alike in all but their time are one group. */
export function packWindow(scans: Scan[]): Window<ScanFacts> {
  const alike = Map.groupBy(scans, ({ scannedAtMs, ...facts }) => JSON.stringify(facts));
  const groups = [...alike].map(([facts, group]) => ({
    facts: JSON.parse(facts) as ScanFacts,
    timesMs: group.map(({ scannedAtMs }) => scannedAtMs),
  }));
  return { id: uuidv7(Date.now()), groups };
}

function fail(): never {
  throw new Error("the batch was not counted");
}

/** A queue batch of windows. Fails the test if it is to be delivered again. */
export function queueBatch(...windows: Window<ScanFacts>[]): MessageBatch<Window<ScanFacts>> {
  return {
    queue: "signpost-scans",
    messages: windows.map((body) => ({ body, attempts: 1, retry: fail })),
    ackAll() {},
  } as unknown as MessageBatch<Window<ScanFacts>>;
}
