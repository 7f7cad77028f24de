// Pure: no I/O, clock or randomness.

/** Derives the status of a link. */

/** Fields of a link that determine its status. */
export interface StatefulLink {
  enabled: boolean;
  archived: boolean;
  starts_at: string | null;
  expires_at: string | null;
  max_scans: number | null;
  scan_count: number;
  banned_at?: string | null | undefined;
}

/** Status and the colour of its badge. */
export interface LinkState {
  word: "Active" | "Archived" | "Banned" | "Disabled" | "Expired" | "Limit reached" | "Scheduled";
  tone: "good" | "plain" | "warn";
}

/**
 * Returns a link's status at a time. Conditions that visitors notice come before "Archived", which only
 * affects lists.
 */
export function judgeLink(link: StatefulLink, nowMs: number): LinkState {
  if (link.banned_at != null) return { word: "Banned", tone: "warn" };
  if (!link.enabled) return { word: "Disabled", tone: "plain" };
  if (link.expires_at !== null && Date.parse(link.expires_at) <= nowMs)
    return { word: "Expired", tone: "warn" };
  if (link.max_scans !== null && link.scan_count >= link.max_scans)
    return { word: "Limit reached", tone: "warn" };
  if (link.starts_at !== null && Date.parse(link.starts_at) > nowMs)
    return { word: "Scheduled", tone: "warn" };
  return link.archived ? { word: "Archived", tone: "plain" } : { word: "Active", tone: "good" };
}

/** Returns a URL without its scheme, `www.` and trailing slash, to show it in a list. */
export function shortenAddress(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}
