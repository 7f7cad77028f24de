// Pure: no I/O, clock or randomness.

/** Fields that decide whether a page's link is shown and where it goes. Times are ISO 8601. */
interface ScheduledLink {
  type?: "link" | "heading" | undefined;
  url?: string | undefined;
  enabled?: boolean | undefined;
  starts_at?: string | undefined;
  ends_at?: string | undefined;
}

/**
 * Returns true if a link is shown and its click URL redirects: the link is enabled, and the time is between
 * `starts_at` (inclusive) and `ends_at` (exclusive).
 */
export function isLive({ enabled, starts_at, ends_at }: ScheduledLink, nowMs: number): boolean {
  return (
    enabled !== false &&
    (starts_at === undefined || Date.parse(starts_at) <= nowMs) &&
    (ends_at === undefined || nowMs < Date.parse(ends_at))
  );
}

/** Returns the destination of the click URL of `links[index]`, or null if the link isn't shown. */
export function findClickDestination(
  links: readonly ScheduledLink[],
  index: number,
  nowMs: number,
): string | null {
  const link = links[index];
  if (link?.url === undefined || link.type === "heading" || !isLive(link, nowMs)) return null;
  return new URL(link.url).href;
}
