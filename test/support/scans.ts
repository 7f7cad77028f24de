import { generateUuidv7 } from "../../src/core/id.ts";
import type { Window } from "../../src/counting/window.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";

/** Scan with its time. */
export interface Scan extends ScanFacts {
  /** Unix time in milliseconds. */
  scannedAtMs: number;
  /** Visitor mark. Missing if unknown. */
  visitor?: string;
}

/** Builds a scan from the facts that are relevant for a test. */
export function buildScan(facts: Pick<Scan, "workspaceId" | "linkId"> & Partial<Scan>): Scan {
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

/** Packs scans into a window as redirects do. Scans that only differ in their time share a group. */
export function packWindow(scans: Scan[]): Window<ScanFacts> {
  const scansByFacts = Map.groupBy(scans, ({ scannedAtMs, visitor, ...facts }) => JSON.stringify(facts));
  const groups = [...scansByFacts].map(([facts, group]) => ({
    facts: JSON.parse(facts) as ScanFacts,
    timesMs: group.map(({ scannedAtMs }) => scannedAtMs),
    ...(group.some(({ visitor }) => visitor) && { visitors: group.map(({ visitor = "" }) => visitor) }),
  }));
  return { id: generateUuidv7(Date.now()), groups };
}

function failOnRetry(): never {
  throw new Error("the batch was not counted");
}

/** Builds a queue batch of windows. Throws if the consumer asks for a retry. */
export function buildQueueBatch(...windows: Window<ScanFacts>[]): MessageBatch<Window<ScanFacts>> {
  return {
    queue: "signpost-scans",
    messages: windows.map((body) => ({ body, attempts: 1, retry: failOnRetry })),
    ackAll() {},
  } as unknown as MessageBatch<Window<ScanFacts>>;
}
