import { CountingWindow } from "../counting/window.ts";

/** What is known of a scan beside its time, as it travels from the redirect to the counts. No IP address is in it. */
export interface ScanFacts {
  workspaceId: string;
  linkId: string;
  shortCode: string;
  /** The address the visitor was sent to. */
  destination: string;
  /** The routing rule that chose it: its name, or its place (`#1`); null for the link's own destination. */
  rule: string | null;
  country: string | null;
  /** ISO 3166-2. */
  region: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** The language the visitor likes best, as routing rules write it: `fr` or `fr-CA`. */
  language: string | null;
  /** Host of the page the link was on. */
  referrer: string | null;
}

/**
 * What scans are broken down by, and how both engines know it: the number is that of the blob in the dataset `scans`,
 * and of the dimension in the roll-ups. A number, once given, is never used for anything else.
 */
export const DIMENSIONS = {
  link: 1,
  country: 2,
  region: 3,
  device: 4,
  os: 5,
  browser: 6,
  referrer: 7,
  language: 8,
  rule: 9,
} as const;

export type Dimension = keyof typeof DIMENSIONS;

/**
 * What a breakdown calls the scans that have no value, where that is not "unknown". A text of a visitor's or an owner's
 * that reads the same is counted with them, so that no value is listed twice.
 */
export const WITHOUT_VALUE: Readonly<Partial<Record<Dimension, string>>> = {
  referrer: "direct",
  rule: "default",
};

/** Columns of the dataset `scans` beside its blobs. */
export const COLUMNS = {
  /** What Analytics Engine samples by. */
  workspace: "index1",
  /** When the scan was, in Unix seconds. */
  scannedAt: "double1",
} as const;

/** The column of a dimension in the dataset `scans`. */
export function datasetColumn(dimension: Dimension): string {
  return `blob${DIMENSIONS[dimension]}`;
}

/** The scan's value of every dimension, in the order of their numbers; empty for what is not known. */
export function listValues(scan: ScanFacts): string[] {
  const { linkId, country, region, device, os, browser, referrer, language, rule } = scan;
  return [linkId, country, region, device, os, browser, referrer, language, rule].map((value) => value ?? "");
}

/** The scan as a row of the dataset `scans`. */
export function toDataPoint(scan: ScanFacts, scannedAtMs: number): AnalyticsEngineDataPoint {
  return {
    indexes: [scan.workspaceId],
    blobs: listValues(scan),
    doubles: [Math.floor(scannedAtMs / 1_000)],
  };
}

/** Longer ones do not occur; the bound keeps what a stranger's header can make of a batch below what D1 takes. */
const REFERRER_MAX_LENGTH = 100;
const LANGUAGE = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}|\d{3}))?(?:-|$)/i;
const REGION = /^[A-Z]{2}-[A-Z0-9]{1,3}$/;
const COUNTRY = /^[A-Z]{2}$/;

/** A scan with nothing in it that a visitor made up at length: what is no value of its dimension is not known. */
export function tidyScan(scan: ScanFacts): ScanFacts {
  const { country, region, referrer, language, rule } = scan;
  return {
    ...scan,
    country: country !== null && COUNTRY.test(country) ? country : null,
    region: region !== null && REGION.test(region) ? region : null,
    referrer: referrer !== null && isReferrer(referrer) ? referrer : null,
    language: language === null ? null : tidyLanguage(language),
    rule: rule === WITHOUT_VALUE.rule ? null : rule,
  };
}

function isReferrer(host: string): boolean {
  return host.length <= REFERRER_MAX_LENGTH && host !== WITHOUT_VALUE.referrer;
}

/** `zh-hant-tw` is `zh-TW`: primary language and region, without which a breakdown falls into splinters. */
function tidyLanguage(tag: string): string | null {
  const [, primary, region] = LANGUAGE.exec(tag) ?? [];
  if (primary === undefined) return null;
  return region === undefined ? primary.toLowerCase() : `${primary.toLowerCase()}-${region.toUpperCase()}`;
}

const scans = new CountingWindow<ScanFacts>();

/** Where scans go: the queue behind the counts and roll-ups, and the dataset of Analytics Engine. */
export interface ScanSinks {
  SCAN_QUEUE: Queue;
  SCANS: AnalyticsEngineDataset;
}

/** Records a scan, to be counted within a moment; never fails the redirect it belongs to. */
export function recordScan(
  sinks: ScanSinks,
  scan: ScanFacts,
  scannedAtMs: number,
  waitUntil: (promise: Promise<unknown>) => void,
): void {
  const tidy = tidyScan(scan);
  scans.record(sinks.SCAN_QUEUE, tidy, scannedAtMs, waitUntil);
  try {
    sinks.SCANS.writeDataPoint(toDataPoint(tidy, scannedAtMs));
  } catch (error) {
    console.error(`a scan of link ${tidy.linkId} did not reach Analytics Engine`, error);
  }
}
