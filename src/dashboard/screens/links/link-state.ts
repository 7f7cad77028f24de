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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Formats how long ago a time is, shortly: `now`, `5 min`, `3 h`, `2 d`, and the date beyond a week. */
export function formatAge(iso: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(iso);
  if (ageMs < MINUTE_MS) return "now";
  if (ageMs < HOUR_MS) return `${Math.floor(ageMs / MINUTE_MS)} min`;
  if (ageMs < DAY_MS) return `${Math.floor(ageMs / HOUR_MS)} h`;
  if (ageMs < 7 * DAY_MS) return `${Math.floor(ageMs / DAY_MS)} d`;
  const date = new Date(iso);
  const options: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear();
  return date.toLocaleDateString("en-GB", isThisYear ? options : { ...options, year: "numeric" });
}

/** Returns an address without its scheme, for a line of a list. */
export function shortenAddress(address: string): string {
  return address.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "");
}
