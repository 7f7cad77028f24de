// Pure: no I/O, clock or randomness.
import { readNextCursor } from "../../../client/next-cursor.ts";
import { readChoice } from "../../address/query-state.ts";
import { EVENT_TYPES, type EventType } from "./event-catalog.ts";

/** Filters of the list of deliveries, which are kept in the page's URL. */

/** Choices of the status filter. The first is the default. */
export const SHOWN_STATES = ["all", "failed", "retrying", "pending", "delivered"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/** Filters of the list. Days are in the browser's time zone, or an empty string. */
export interface DeliveryFilters {
  state: ShownState;
  event: EventType | "all";
  from: string;
  to: string;
}

/** Reads the filters from the query string of the page's URL. */
export function readFilters(query: string): DeliveryFilters {
  const parameters = new URLSearchParams(query);
  return {
    state: readChoice(query, "state", SHOWN_STATES),
    event: readChoice(query, "event", ["all", ...EVENT_TYPES]),
    from: readDay(parameters.get("from")),
    to: readDay(parameters.get("to")),
  };
}

/** Query parameters of the API, and the start time, by which the API can't filter. */
export interface DeliveryQuery {
  status?: Exclude<ShownState, "all">;
  event_type?: EventType;
  /** Cursor from which the list starts. */
  before?: string;
  /** Time of the oldest delivery to show, or null. */
  fromMs: number | null;
}

/**
 * Converts filters to a query. The API can't filter by time. Ids of deliveries are UUIDv7 and start with
 * their time, so a cursor built from the end time makes the list start there.
 */
export function toDeliveryQuery({ state, event, from, to }: DeliveryFilters): DeliveryQuery {
  const endMs = to === "" ? null : getDayMs(to, 1);
  return {
    ...(state !== "all" && { status: state }),
    ...(event !== "all" && { event_type: event }),
    ...(endMs !== null && { before: formatCursor(endMs) }),
    fromMs: from === "" ? null : getDayMs(from, 0),
  };
}

/** Returns true if the filters exclude any deliveries. */
export function isFiltered({ state, event, from, to }: DeliveryFilters): boolean {
  return state !== "all" || event !== "all" || from !== "" || to !== "";
}

const TIME_DIGITS = 12;

/** Returns the smallest UUIDv7 of a time (RFC 9562 section 5.7). */
export function formatCursor(timeMs: number): string {
  const time = Math.max(0, timeMs).toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Returns a day such as `2026-11-22`, or an empty string if the text isn't one. */
function readDay(text: string | null): string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return "";
  return Number.isNaN(Date.parse(text)) ? "" : text;
}

/** Returns the start of a day in the browser's time zone, `later` days after it. */
function getDayMs(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/**
 * Returns the next page's cursor from a `Link` header. Null at the end of the list, and once all further
 * deliveries are older than `fromMs`.
 */
export function findNextCursor(
  data: readonly { created_at: string }[],
  link: string | null,
  fromMs: number | null,
): string | null {
  const last = data.at(-1);
  if (fromMs !== null && last !== undefined && Date.parse(last.created_at) < fromMs) return null;
  const cursor = readNextCursor(link);
  const isPast = cursor !== null && fromMs !== null && cursor < formatCursor(fromMs);
  return isPast ? null : cursor;
}
