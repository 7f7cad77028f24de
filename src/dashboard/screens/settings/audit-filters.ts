// Pure: no I/O, clock or randomness.
import { RESOURCE_TYPES, type ResourceType } from "../../../audit/resource-type.ts";
import { readChoice } from "../../address/query-state.ts";

/** Filters of the audit log, which are kept in the page's URL. */

/** Choices of the resource type filter. The first is the default. */
export const SHOWN_TYPES = ["all", ...RESOURCE_TYPES] as const;

/** Filters of the audit log. Days are in the browser's time zone, or an empty string. */
export interface AuditFilters {
  type: ResourceType | "all";
  /** Id of a resource, or an empty string. */
  resource: string;
  /** Id of an actor, or an empty string. */
  actor: string;
  from: string;
  to: string;
}

/** Reads the filters from the query string of the page's URL. */
export function readAuditFilters(query: string): AuditFilters {
  const parameters = new URLSearchParams(query);
  return {
    type: readChoice(query, "type", SHOWN_TYPES),
    resource: parameters.get("resource")?.trim() ?? "",
    actor: parameters.get("actor") ?? "",
    from: readDay(parameters.get("from")),
    to: readDay(parameters.get("to")),
  };
}

/** Query parameters of `GET /v1/audit`. */
export interface AuditQuery {
  resource_type?: ResourceType;
  resource?: string;
  actor?: string;
  from?: string;
  to?: string;
}

/** Converts filters to query parameters of the API. The last day is included. */
export function toAuditQuery({ type, resource, actor, from, to }: AuditFilters): AuditQuery {
  return {
    ...(type !== "all" && { resource_type: type }),
    ...(resource !== "" && { resource }),
    ...(actor !== "" && { actor }),
    ...(from !== "" && { from: formatDayStart(from, 0) }),
    ...(to !== "" && { to: formatDayStart(to, 1) }),
  };
}

/** Changes of the page's URL that clear all filters. */
export const NO_FILTERS = { type: null, resource: null, actor: null, from: null, to: null };

/** Returns true if the filters exclude any entries. */
export function isAuditFiltered(filters: AuditFilters): boolean {
  return Object.keys(toAuditQuery(filters)).length > 0;
}

function readDay(text: string | null): string {
  if (text === null || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return "";
  return Number.isNaN(Date.parse(text)) ? "" : text;
}

function formatDayStart(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
