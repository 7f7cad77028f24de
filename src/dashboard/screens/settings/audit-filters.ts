import { RESOURCE_TYPES, type ResourceType } from "../../../audit/resource-type.ts";
import { readChoice } from "../../address/query-state.ts";

/** Filters of the audit log, in the address of the screen. */

/** Kinds of resources. The first is the default. */
export const SHOWN_TYPES = ["all", ...RESOURCE_TYPES] as const;

/** Filters of the log. Days are those of this machine's time zone, or empty. */
export interface AuditFilters {
  type: ResourceType | "all";
  /** Id of a resource, or empty. */
  resource: string;
  /** Id of an actor, or empty. */
  actor: string;
  from: string;
  to: string;
}

/** Reads the filters in the query of an address. */
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

/** Query of the API. */
export interface AuditQuery {
  resource_type?: ResourceType;
  resource?: string;
  actor?: string;
  from?: string;
  to?: string;
}

/** Returns the query of the API for filters. The last day is included. */
export function toAuditQuery({ type, resource, actor, from, to }: AuditFilters): AuditQuery {
  return {
    ...(type !== "all" && { resource_type: type }),
    ...(resource !== "" && { resource }),
    ...(actor !== "" && { actor }),
    ...(from !== "" && { from: formatDayStart(from, 0) }),
    ...(to !== "" && { to: formatDayStart(to, 1) }),
  };
}

/** Changes of the address that remove all filters. */
export const NO_FILTERS = { type: null, resource: null, actor: null, from: null, to: null };

/** Returns true if filters leave entries out. */
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
