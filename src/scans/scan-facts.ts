import type { TrafficClass } from "./traffic.ts";

/** Facts of a scan without its time, as the redirect sends them to the counts. They hold no IP address. */
export interface ScanFacts {
  workspaceId: string;
  linkId: string;
  shortCode: string;
  /** Address that the visitor was sent to. */
  destination: string;
  /** Routing rule that chose the destination: its name, or its number (`#1`). Null for the link's own destination. */
  rule: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** ISO 3166-2. */
  region: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** Preferred language of the visitor in the form of routing rules: `fr` or `fr-CA`. */
  language: string | null;
  /** Host of the page that held the link. */
  referrer: string | null;
  /** Absent in messages from before the classes existed, which told of people only. */
  traffic?: TrafficClass;
}
