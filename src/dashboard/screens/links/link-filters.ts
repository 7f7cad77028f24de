// Pure: no I/O, clock or randomness.
import { readChoice } from "../../address/query-state.ts";

/** Filters of the list of links, which are kept in the page's URL. */

/** Choices of the status filter. The first is the default. */
export const SHOWN_STATES = ["current", "enabled", "disabled", "archived", "broken", "all"] as const;
/** Sort orders as the API names them. The first is the default. */
export const SORTS = ["created_at", "scan_count", "last_scan_at"] as const;

export type ShownState = (typeof SHOWN_STATES)[number];
export type Sort = (typeof SORTS)[number];

export interface LinkFilters {
  search: string;
  label: string;
  state: ShownState;
  sort: Sort;
}

/** Reads the filters from the query string of the page's URL. */
export function readFilters(query: string): LinkFilters {
  const parameters = new URLSearchParams(query);
  return {
    search: parameters.get("search")?.trim() ?? "",
    label: parameters.get("label") ?? "",
    state: readChoice(query, "state", SHOWN_STATES),
    sort: readChoice(query, "sort", SORTS),
  };
}

/** Query parameters of `GET /v1/links`. */
export interface LinkQuery {
  search?: string;
  label?: string;
  enabled?: boolean;
  archived?: "true" | "all";
  destination_status?: "broken";
  sort?: Sort;
}

const QUERY_OF_STATE: Record<ShownState, LinkQuery> = {
  current: {},
  enabled: { enabled: true },
  disabled: { enabled: false },
  archived: { archived: "true" },
  broken: { destination_status: "broken" },
  all: { archived: "all" },
};

/** Converts filters to query parameters of the API. Defaults are left out. */
export function toLinkQuery({ search, label, state, sort }: LinkFilters): LinkQuery {
  return {
    ...(search !== "" && { search }),
    ...(label !== "" && { label }),
    ...QUERY_OF_STATE[state],
    ...(sort !== SORTS[0] && { sort }),
  };
}

/** Returns true if the filters differ from the defaults. The sort order doesn't count. */
export function isFiltered({ search, label, state }: LinkFilters): boolean {
  return search !== "" || label !== "" || state !== SHOWN_STATES[0];
}
