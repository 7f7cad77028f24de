import { readNextCursor } from "../../../client/next-cursor.ts";
import { readChoice } from "../../address/query-state.ts";
import { EVENT_TYPES, type EventType } from "./event-catalog.ts";

/** Filters of the list of deliveries, in the address of the screen. */

/** States of deliveries. The first is the default. */
export const SHOWN_STATES = ["all", "failed", "retrying", "pending", "delivered"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

/** Filters of the list. Days are those of this machine's time zone, or empty. */
export interface DeliveryFilters {
  state: ShownState;
  event: EventType | "all";
  from: string;
  to: string;
}

/** Reads the filters in the query of an address. */
export function readFilters(query: string): DeliveryFilters {
  const parameters = new URLSearchParams(query);
  return {
    state: readChoice(query, "state", SHOWN_STATES),
    event: readChoice(query, "event", ["all", ...EVENT_TYPES]),
    from: readDay(parameters.get("from")),
    to: readDay(parameters.get("to")),
  };
}

/** Query of the API, and what it cannot filter by. */
export interface DeliveryQuery {
  status?: Exclude<ShownState, "all">;
  event_type?: EventType;
  /** Cursor from which the list begins. */
  before?: string;
  /** Time at which the list ends. */
  fromMs: number | null;
}

/**
 * Returns the query for filters. The API has none for times. Ids of deliveries begin with theirs, so the cursor of a time
 * begins the list there.
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

/** Returns true if filters leave deliveries out. */
export function isFiltered({ state, event, from, to }: DeliveryFilters): boolean {
  return state !== "all" || event !== "all" || from !== "" || to !== "";
}

const TIME_DIGITS = 12;

/** Returns the least UUIDv7 of a time (RFC 9562 section 5.7). */
export function formatCursor(timeMs: number): string {
  const time = Math.max(0, timeMs).toString(16).padStart(TIME_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Returns a day such as `2026-11-22`, or an empty text. */
function readDay(text: string | null): string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return "";
  return Number.isNaN(Date.parse(text)) ? "" : text;
}

/** Returns the time at which a day begins here, some days later. */
function getDayMs(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** Returns where a page says, in its header `Link`, that the list goes on. Null at its end, and before the first day. */
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
