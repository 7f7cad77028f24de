// Pure: no I/O, clock or randomness.

import { formatCount } from "../../../core/format-count.ts";
import { DAY_MS } from "../../../core/time.ts";
import { type DeliveryStatus, isFailing } from "../webhooks/delivery-health.ts";

/**
 * Finds what needs attention in a workspace, from API responses: failing webhooks, limits that are nearly
 * used up, pending domains, expiring keys and links.
 */

/** Something that needs attention, with a link to where it can be fixed. */
export interface AttentionItem {
  key: string;
  tone: "warn" | "danger";
  text: string;
  action: string;
  href: string;
}

/** Items of a workspace that are checked. A list that couldn't be read is empty. */
export interface WorkspaceItems {
  webhooks: readonly {
    id: string;
    url: string;
    enabled: boolean;
    disabled_at: string | null;
    skipped_count: number;
    recent_statuses: readonly DeliveryStatus[];
  }[];
  domains: readonly { id: string; hostname: string; status: "pending" | "active" }[];
  links: readonly {
    id: string;
    short_code: string;
    title: string | null;
    enabled: boolean;
    archived: boolean;
    expires_at: string | null;
    max_scans: number | null;
    scan_count: number;
  }[];
  keys: readonly {
    id: string;
    name: string;
    expires_at: string | null;
    revoked_at: string | null;
    created_by: { name: string; has_left: boolean } | null;
  }[];
  /** Links with a broken destination, up to {@link BROKEN_READ}. */
  brokenLinks: readonly Pick<WorkspaceItems["links"][number], "id" | "short_code" | "title">[];
  usage: { name: string; used: number; limit: number }[];
}

/** Days before an expiry from which to warn. */
export const AHEAD_DAYS = 14;
/** Number of links with a broken destination that are read. */
export const BROKEN_READ = 20;
/** Share of a limit from which to warn. */
export const USED_SHARE = 0.9;

/** Lists what needs attention, most urgent first. */
export function listAttention(items: WorkspaceItems, nowMs: number): AttentionItem[] {
  const found = [
    ...items.webhooks.flatMap(judgeWebhook),
    ...judgeBroken(items.brokenLinks),
    ...items.usage.flatMap(judgeUsage),
    ...items.domains.flatMap(judgeDomain),
    ...items.keys.flatMap((key) => judgeKey(key, nowMs)),
    ...items.links.flatMap((link) => judgeEnd(link, nowMs)),
  ];
  return found.sort((a, b) => Number(b.tone === "danger") - Number(a.tone === "danger"));
}

type Item<Name extends keyof WorkspaceItems> = WorkspaceItems[Name][number];

function judgeWebhook(webhook: Item<"webhooks">): AttentionItem[] {
  const { id, url, enabled, disabled_at, skipped_count, recent_statuses } = webhook;
  const base = { key: id, href: `/webhooks/${id}`, action: "View deliveries" };
  const host = shortenUrl(url);
  // `disabled_at` is only set when the server disabled the endpoint after failures. An endpoint that a person
  // disabled needs no attention.
  if (!enabled && disabled_at !== null) {
    return [
      { ...base, tone: "danger", text: `The webhook endpoint ${host} was disabled after repeated failures.` },
    ];
  }
  if (enabled && isFailing(recent_statuses)) {
    return [{ ...base, tone: "warn", text: `The last deliveries to ${host} failed.` }];
  }
  if (skipped_count === 0) return [];
  return [
    {
      ...base,
      tone: "warn",
      text: `${formatCount(skipped_count, "event wasn't", "events weren't")} delivered to ${host}.`,
    },
  ];
}

function shortenUrl(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/[?#].*$/, "");
}

function judgeUsage({ name, used, limit }: Item<"usage">): AttentionItem[] {
  if (limit <= 0 || used < limit * USED_SHARE) return [];
  const isOver = used >= limit;
  const text = isOver
    ? `You've reached your plan's limit for ${name} (${limit.toLocaleString("en-GB")}).`
    : `You've used ${Math.floor((used / limit) * 100)}% of your plan's limit for ${name}.`;
  return [
    { key: name, tone: isOver ? "danger" : "warn", text, action: "View usage", href: "/settings/usage" },
  ];
}

function judgeDomain({ id, hostname, status }: Item<"domains">): AttentionItem[] {
  if (status === "active") return [];
  return [
    {
      key: id,
      tone: "warn",
      text: `${hostname} isn't verified yet, so links don't work on it.`,
      action: "Verify",
      href: "/settings/domains",
    },
  ];
}

function judgeKey(
  { id, name, expires_at, revoked_at, created_by }: Item<"keys">,
  nowMs: number,
): AttentionItem[] {
  const hasEnded = [expires_at, revoked_at].some((end) => end !== null && Date.parse(end) <= nowMs);
  if (hasEnded) return [];
  const daysLeft = countDaysLeft(expires_at, nowMs);
  const texts = [
    created_by?.has_left &&
      `The API key “${name}” still works, but ${created_by.name}, who created it, has left the workspace.`,
    daysLeft !== null && `The API key “${name}” expires ${formatLeft(daysLeft)}.`,
  ].filter((text) => typeof text === "string");
  return texts.map((text, index) => ({
    key: `${id} ${index}`,
    tone: "warn",
    text,
    action: "Rotate",
    href: "/settings/keys",
  }));
}

/** Returns one item for all links with a broken destination. */
function judgeBroken(links: WorkspaceItems["brokenLinks"]): AttentionItem[] {
  const [first] = links;
  if (first === undefined) return [];
  const item = { key: "broken links", tone: "danger", action: "View" } as const;
  if (links.length === 1)
    return [
      { ...item, text: `The destination of ${nameLink(first)} is broken.`, href: `/links/${first.id}` },
    ];
  const count = `${links.length === BROKEN_READ ? "At least " : ""}${formatCount(links.length, "link")}`;
  return [{ ...item, text: `${count} have a broken destination.`, href: "/links?state=broken" }];
}

function nameLink({ title, short_code }: Pick<Item<"links">, "title" | "short_code">): string {
  return title === null ? `/${short_code}` : `“${title}”`;
}

function judgeEnd(link: Item<"links">, nowMs: number): AttentionItem[] {
  if (!link.enabled || link.archived) return [];
  const daysLeft = countDaysLeft(link.expires_at, nowMs);
  const isNearlyUsed =
    link.max_scans !== null &&
    link.scan_count >= link.max_scans * USED_SHARE &&
    link.scan_count < link.max_scans;
  if (daysLeft === null && !isNearlyUsed) return [];
  const name = nameLink(link);
  const text =
    daysLeft === null
      ? `${name} has reached ${link.scan_count.toLocaleString("en-GB")} of ${formatCount(link.max_scans ?? 0, "scan")}.`
      : `${name} expires ${formatLeft(daysLeft)}.`;
  return [{ key: link.id, tone: "warn", text, action: "View", href: `/links/${link.id}` }];
}

/**
 * Returns the whole days until a time. Null without a time, for a past time, and beyond {@link AHEAD_DAYS}.
 */
function countDaysLeft(iso: string | null, nowMs: number): number | null {
  if (iso === null) return null;
  const leftMs = Date.parse(iso) - nowMs;
  return leftMs > 0 && leftMs <= AHEAD_DAYS * DAY_MS ? Math.floor(leftMs / DAY_MS) : null;
}

function formatLeft(days: number): string {
  if (days === 0) return "in less than a day";
  return `in ${formatCount(days, "day")}`;
}
