/** State of a link, in a word. */

/** Parts of a link that its state follows from. */
export interface StatefulLink {
  enabled: boolean;
  archived: boolean;
  starts_at: string | null;
  expires_at: string | null;
  max_scans: number | null;
  scan_count: number;
}

/** State, with the colour of its badge. */
export interface LinkState {
  word: "Active" | "Archived" | "Disabled" | "Expired" | "Scheduled" | "Used up";
  tone: "good" | "plain" | "warn";
}

/** Returns the state of a link at a time: what visitors get comes before how the list is kept. */
export function judgeLink(link: StatefulLink, nowMs: number): LinkState {
  if (!link.enabled) return { word: "Disabled", tone: "plain" };
  if (link.expires_at !== null && Date.parse(link.expires_at) <= nowMs)
    return { word: "Expired", tone: "warn" };
  if (link.max_scans !== null && link.scan_count >= link.max_scans) return { word: "Used up", tone: "warn" };
  if (link.starts_at !== null && Date.parse(link.starts_at) > nowMs)
    return { word: "Scheduled", tone: "warn" };
  return link.archived ? { word: "Archived", tone: "plain" } : { word: "Active", tone: "good" };
}

/** Returns an address without its scheme, for a line of a list. */
export function shortenAddress(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}
