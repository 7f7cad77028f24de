/** What of a page's link decides whether it is there, and where it leads. Times are ISO 8601. */
interface LivingLink {
  type?: "link" | "heading" | undefined;
  url?: string | undefined;
  enabled?: boolean | undefined;
  starts_at?: string | undefined;
  ends_at?: string | undefined;
}

/** Whether a link is shown, and its click address answers: enabled, from `starts_at` until before `ends_at`. */
export function isLive({ enabled, starts_at, ends_at }: LivingLink, nowMs: number): boolean {
  return (
    enabled !== false &&
    (starts_at === undefined || Date.parse(starts_at) <= nowMs) &&
    (ends_at === undefined || nowMs < Date.parse(ends_at))
  );
}

/** Where the click address of a link's place leads now; null where nothing is shown. */
export function clickDestination(links: readonly LivingLink[], index: number, nowMs: number): string | null {
  const link = links[index];
  if (link?.url === undefined || link.type === "heading" || !isLive(link, nowMs)) return null;
  return new URL(link.url).href;
}
