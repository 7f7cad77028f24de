import { readChoice } from "../../address/query-state.ts";

/** Filters of the list of links, in the address of the screen. */

/** Choices of links, by state. The first is the default. */
export const SHOWN_STATES = ["current", "enabled", "disabled", "archived", "all"] as const;
/** Orders, as the API names them. The first is the default. */
export const SORTS = ["created_at", "scan_count", "last_scan_at"] as const;

export type ShownState = (typeof SHOWN_STATES)[number];
export type Sort = (typeof SORTS)[number];

/** Filters of the list. */
export interface LinkFilters {
  search: string;
  label: string;
  state: ShownState;
  sort: Sort;
}

/** Reads the filters in the query of an address. */
export function readFilters(query: string): LinkFilters {
  const parameters = new URLSearchParams(query);
  return {
    search: parameters.get("search")?.trim() ?? "",
    label: parameters.get("label") ?? "",
    state: readChoice(query, "state", SHOWN_STATES),
    sort: readChoice(query, "sort", SORTS),
  };
}

/** Query of the API. */
export interface LinkQuery {
  search?: string;
  label?: string;
  enabled?: boolean;
  archived?: "true" | "all";
  sort?: Sort;
}

const QUERY_OF_STATE: Record<ShownState, LinkQuery> = {
  current: {},
  enabled: { enabled: true },
  disabled: { enabled: false },
  archived: { archived: "true" },
  all: { archived: "all" },
};

/** Returns the query of the API for filters. Defaults are left out. */
export function toLinkQuery({ search, label, state, sort }: LinkFilters): LinkQuery {
  return {
    ...(search !== "" && { search }),
    ...(label !== "" && { label }),
    ...QUERY_OF_STATE[state],
    ...(sort !== SORTS[0] && { sort }),
  };
}

/** Returns true if filters leave links out that the plain list has. */
export function isFiltered({ search, label, state }: LinkFilters): boolean {
  return search !== "" || label !== "" || state !== SHOWN_STATES[0];
}
