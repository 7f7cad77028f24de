import { afterEach, expect, test, vi } from "vitest";
import { listValues, toDataPoint } from "../../src/scans/dimensions.ts";
import type { ScanSinks } from "../../src/scans/record-scan.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";
import { tidyScan } from "../../src/scans/tidy-scan.ts";
import { toTrafficClass } from "../../src/scans/traffic.ts";

const SCAN: ScanFacts = {
  workspaceId: "w",
  linkId: "l",
  shortCode: "sale",
  destination: "https://example.com/",
  country: "CA",
  region: "CA-QC",
  device: "mobile",
  os: "ios",
  browser: "safari",
  referrer: "example.com",
  language: "fr-CA",
  rule: "Canada",
  traffic: "human",
} as ScanFacts;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const tidy = (change: Partial<Record<keyof ScanFacts, string | null>>) =>
  tidyScan({ ...SCAN, ...change } as ScanFacts);

test.each<[keyof ScanFacts, string | null, string | null]>([
  ["country", "CA", "CA"],
  ["country", "ca", null],
  ["country", "CAN", null],
  ["country", null, null],
  ["region", "US-CA", "US-CA"],
  ["region", "FR-75", "FR-75"],
  ["region", "GB-ENG", "GB-ENG"],
  ["region", "GB-ENGL", null],
  ["region", "CA-", null],
  ["region", null, null],
  ["referrer", "x".repeat(100), "x".repeat(100)],
  ["referrer", "x".repeat(101), null],
  ["referrer", "direct", null],
  ["referrer", null, null],
  ["language", "f", null],
  ["language", "FR", "fr"],
  ["language", "fil", "fil"],
  ["language", "engl", null],
  ["language", "zh-hant-tw", "zh-TW"],
  ["language", "es-419", "es-419"],
  ["language", "de-ch-1901", "de-CH"],
  ["language", null, null],
  ["rule", "default", null],
  ["rule", "Default", "Default"],
])("a scan whose %s is %j is counted with %j", (name, value, expected) => {
  expect(tidy({ [name]: value })[name]).toBe(expected);
});

test("a data point has the time in whole seconds, and nothing in place of a missing value", () => {
  const { doubles, indexes, blobs } = toDataPoint({ ...SCAN, country: null }, 1_999);
  expect([doubles, indexes]).toEqual([[1], ["w"]]);
  expect(blobs?.slice(0, 3)).toEqual(["l", "", "CA-QC"]);
  expect(listValues(SCAN).slice(9)).toEqual(["", "", "", "", ""]);
  const marked = { traffic: "bot", source: "qr", utm: { utm_medium: "email" } } as const;
  expect(listValues({ ...SCAN, ...marked }).slice(9)).toEqual(["bot", "qr", "", "email", ""]);
  expect(["bot", "robot", null, undefined].map(toTrafficClass)).toEqual(["bot", "human", "human", "human"]);
});

test("a scan is counted even if Analytics Engine and the salt of visitors fail, and both are logged", async () => {
  vi.useFakeTimers();
  // Uses a copy of the module, whose window has no scans of other tests.
  const copy = "../../src/scans/record-scan.ts?copy";
  const { recordScan }: typeof import("../../src/scans/record-scan.ts") = await import(copy);
  const log = vi.spyOn(console, "error").mockReturnValue();
  const send = vi.fn(async () => {});
  const sinks = {
    SCAN_QUEUE: { send },
    SCAN_SPARE_QUEUE: { send },
    SCANS: {
      writeDataPoint: () => {
        throw new Error("the data set is down");
      },
    },
    VISITOR_SALT: { getByName: () => ({ getSalt: () => Promise.reject(new Error("the salt is lost")) }) },
  } as unknown as ScanSinks;
  const work: Promise<unknown>[] = [];
  recordScan(
    sinks,
    SCAN,
    { address: null, userAgent: null },
    Date.now(),
    (promise) => void work.push(promise),
  );
  expect(log.mock.calls[0]?.[0]).toContain(
    '"a scan of link l did not reach Analytics Engine","error":"Error: ',
  );
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(work);
  expect(log.mock.calls[1]?.[0]).toContain("the salt of visitors could not be read");
  expect(send).toHaveBeenCalledTimes(1);
});
