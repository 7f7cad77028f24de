import { ERROR_STATUS } from "../../src/core/error.ts";
import { PLANS } from "../../src/tenant/plans.ts";

/** Fields of examples that depend on each other. */
interface Fields {
  id: string;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  last_scan_at: string | null;
  scan_count: number;
  published_at: string | null;
  is_published: boolean;
  view_count: number;
  click_count: number;
  enabled: boolean;
  disabled_at: string | null;
  short_url: string;
  short_code: string;
  html_url: string;
  slug: string;
  status: string;
  is_public: boolean;
  public_url: string | null;
  filename: string;
  mime_type: string;
  file_size: number;
  upload: { url: string; headers: Record<string, string>; expires_at: string };
  delivered_at: string | null;
  failed_at: string | null;
  attempts: number;
  response_status: number | null;
  error: string | null;
  attempts_log: { attempted_at: string; response_status: number | null; error: string | null }[];
  event_type: string;
  payload: { event: string };
  event: string;
  timestamp: string;
  data: object;
  meta: object;
  limit: number;
  remaining: number;
  reset: number;
  reset_at: string;
  total: number;
  offset: number;
  plan: keyof typeof PLANS;
  usage: Record<string, number>;
  limits: Record<string, number>;
  features: Record<string, boolean>;
  interval: keyof typeof INTERVALS_MS;
  points: { date: string }[];
  by: string;
  items: { value: string; scans?: number; count?: number; views?: number; clicks?: number }[];
  code: string;
  message: string;
  details: { field: string; message: string }[];
}

/** Requirement for example objects that have certain fields. */
export interface ExampleRule {
  title: string;
  fields: readonly string[];
  isKept: (object: never) => boolean;
}

function rule<Name extends keyof Fields>(
  title: string,
  fields: readonly Name[],
  isKept: (object: Pick<Fields, Name>) => boolean,
): ExampleRule {
  return { title, fields, isKept };
}

const HOUR_MS = 3_600_000;
const INTERVALS_MS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };
const MEBIBYTE = 1_048_576;

/** Times in UTC with milliseconds sort as texts. */
const isNotAfter = (first: string | null, second: string | null) =>
  first === null || second === null || first <= second;

export const EXAMPLE_RULES: readonly ExampleRule[] = [
  rule("created_at is not after updated_at", ["created_at", "updated_at"], (o) =>
    isNotAfter(o.created_at, o.updated_at),
  ),
  rule("a UUIDv7 contains the time of created_at", ["id", "created_at"], ({ id, created_at }) => {
    return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) === Date.parse(created_at);
  }),
  ...(["last_scan_at", "published_at", "disabled_at", "delivered_at", "failed_at"] as const).map((name) =>
    rule(`created_at is not after ${name}`, ["created_at", name], (o) => isNotAfter(o.created_at, o[name])),
  ),
  rule("published_at is not after updated_at", ["published_at", "updated_at"], (o) =>
    isNotAfter(o.published_at, o.updated_at),
  ),
  rule("expires_at is after created_at", ["created_at", "expires_at"], ({ created_at, expires_at }) => {
    return expires_at === null || created_at < expires_at;
  }),
  rule("a link without scans has no last scan", ["scan_count", "last_scan_at"], (o) => {
    return (o.scan_count === 0) === (o.last_scan_at === null);
  }),
  rule("short_url ends with short_code", ["short_url", "short_code"], (o) =>
    o.short_url.endsWith(`/${o.short_code}`),
  ),
  rule("html_url ends with slug", ["html_url", "slug"], (o) => o.html_url.endsWith(`/${o.slug}`)),
  rule("a published page has published_at", ["is_published", "published_at"], (o) => {
    return !o.is_published || o.published_at !== null;
  }),
  rule("a page that was never published has no views", ["published_at", "view_count", "click_count"], (o) => {
    return o.published_at !== null || (o.view_count === 0 && o.click_count === 0);
  }),
  rule("an enabled endpoint has no disabled_at", ["enabled", "disabled_at"], (o) => {
    return !o.enabled || o.disabled_at === null;
  }),
  rule("only a confirmed asset is public and has a URL", ["status", "is_public", "public_url"], (o) => {
    return o.is_public === (o.public_url !== null) && (!o.is_public || o.status === "confirmed");
  }),
  rule("public_url ends with id and filename", ["id", "filename", "public_url"], (o) => {
    return o.public_url === null || o.public_url.endsWith(`/${o.id}/${o.filename}`);
  }),
  rule(
    "the upload URL has size, type and expiry of the asset",
    ["id", "file_size", "mime_type", "created_at", "upload"],
    ({ id, file_size, mime_type, created_at, upload }) => {
      const { pathname, searchParams } = new URL(upload.url);
      return (
        pathname.endsWith(`/${id}`) &&
        searchParams.get("size") === String(file_size) &&
        searchParams.get("type") === mime_type &&
        Number(searchParams.get("expires")) * 1_000 === Date.parse(upload.expires_at) &&
        upload.headers["Content-Type"] === mime_type &&
        created_at < upload.expires_at
      );
    },
  ),
  rule(
    "times, attempts and response of a delivery fit its status",
    ["status", "delivered_at", "failed_at", "attempts", "response_status"],
    ({ status, delivered_at, failed_at, attempts, response_status }) => {
      const isSuccess = response_status !== null && response_status >= 200 && response_status < 300;
      return (
        (status === "delivered") === (delivered_at !== null) &&
        (status === "failed") === (failed_at !== null) &&
        (status === "pending") === (attempts === 0) &&
        (status !== "pending" || response_status === null) &&
        (status !== "delivered" || isSuccess)
      );
    },
  ),
  rule(
    "attempts_log has every attempt, and the last one fits the delivery",
    ["attempts", "attempts_log", "response_status", "created_at", "delivered_at"],
    ({ attempts, attempts_log, response_status, created_at, delivered_at }) => {
      const last = attempts_log.at(-1);
      return (
        attempts_log.length === attempts &&
        last?.response_status === response_status &&
        isNotAfter(created_at, last.attempted_at) &&
        isNotAfter(last.attempted_at, delivered_at)
      );
    },
  ),
  rule("an attempt has a response or an error", ["response_status", "error"], (o) => {
    return (o.response_status === null) === (o.error !== null);
  }),
  rule("the payload has the type of the delivery", ["event_type", "payload"], (o) => {
    return o.payload.event === o.event_type;
  }),
  rule(
    "no time of an event is after its timestamp",
    ["event", "timestamp", "data"],
    ({ timestamp, data }) => {
      return listTimes(data).every((time) => isNotAfter(time, timestamp));
    },
  ),
  rule("the limit is not below the remaining calls", ["limit", "remaining"], (o) => o.remaining <= o.limit),
  rule("reset is the start of a month", ["reset"], ({ reset }) => isStartOfMonth(reset * 1_000)),
  rule("reset_at is the start of a month", ["reset_at"], (o) => isStartOfMonth(Date.parse(o.reset_at))),
  rule("a page has at most limit items, and total counts them", ["data", "meta"], ({ data, meta }) => {
    const { total, limit, offset } = meta as Partial<Fields>;
    if (total === undefined || limit === undefined || offset === undefined) return true;
    const count = (data as unknown[]).length;
    return count <= limit && offset + count <= total;
  }),
  rule("limits and features are those of the plan", ["plan", "limits", "features"], (o) => {
    const plan = Object.values(PLANS[o.plan]);
    return [...Object.values(o.limits), ...Object.values(o.features)].every((value) => plan.includes(value));
  }),
  rule("usage is within the limits", ["usage", "limits"], ({ usage, limits }) => {
    const pairs = [
      [usage.links_created_this_month, limits.links_per_month],
      [usage.api_calls_this_month, limits.api_calls_per_month],
      [usage.links_created_this_month, usage.total_links],
      [usage.total_qr_templates, limits.qr_templates],
      [usage.total_bio_pages, limits.bio_pages],
      [usage.storage_mb, limits.storage_mb],
    ] as [number, number][];
    return (
      pairs.every(([used, limit]) => used <= limit) &&
      usage.storage_bytes === MEBIBYTE * Number(usage.storage_mb)
    );
  }),
  rule("points follow each other at the interval", ["interval", "points"], ({ interval, points }) => {
    const times = points.map(({ date }) => Date.parse(date));
    return times.slice(1).every((time, index) => time - Number(times[index]) === INTERVALS_MS[interval]);
  }),
  rule("items are sorted by their counts", ["by", "items"], ({ items }) => {
    const counts = items.map(({ scans, count, views, clicks }) => Number(scans ?? count ?? views ?? clicks));
    return counts.every((count, index) => index === 0 || count <= Number(counts[index - 1]));
  }),
  rule("items have values of their dimension", ["by", "items"], ({ by, items }) => {
    return by !== "country" || items.every(({ value }) => /^(?:[A-Z]{2}|unknown)$/.test(value));
  }),
  rule("the status of an error fits its code", ["code", "status"], ({ code, status }) => {
    const upper = code.toUpperCase();
    const known =
      ERROR_STATUS[(upper === "NOT_FOUND" ? "RESOURCE_NOT_FOUND" : upper) as keyof typeof ERROR_STATUS];
    return known === Number(status) || (code === "IDEMPOTENCY_CONFLICT" && Number(status) === 422);
  }),
  rule("the message of an error is its first detail", ["message", "details"], ({ message, details }) => {
    return message === `${details[0]?.field}: ${details[0]?.message}`;
  }),
];

/** Lists the ISO 8601 times in a value, at any depth. */
export function listTimes(value: unknown): string[] {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listTimes);
}

/** Lists the objects in a value, at any depth. */
export function listObjects(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(listObjects);
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
}

function isStartOfMonth(timeMs: number): boolean {
  return new Date(timeMs).toISOString().endsWith("-01T00:00:00.000Z");
}
