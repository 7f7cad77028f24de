// Pure: no I/O, clock or randomness.
import type { MarkedSource } from "./source.ts";
import type { TrafficClass } from "./traffic.ts";
import type { UtmValues } from "./utm.ts";

/** Facts of a scan without its time, as redirects send them to be counted. Contains no IP address. */
export interface ScanFacts {
  workspaceId: string;
  linkId: string;
  shortCode: string;
  /** URL that the visitor was redirected to. */
  destination: string;
  /**
   * Routing rule that chose the destination: its name, or its number (`#1`). Null for the link's own
   * destination.
   */
  rule: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** ISO 3166-2. */
  region: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  /** Preferred language of the visitor in the format of routing rules: `fr` or `fr-CA`. */
  language: string | null;
  /** Host of the page that contained the link. */
  referrer: string | null;
  /** Missing in old messages from before traffic classes existed, which contain only scans of people. */
  traffic?: TrafficClass;
  /** Missing if the source is `link`, and in old messages. */
  source?: MarkedSource | undefined;
  /** UTM parameters of the URL that the visitor was redirected to. Missing if it has none. */
  utm?: UtmValues | undefined;
}
