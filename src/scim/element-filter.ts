// Pure: no I/O, clock or randomness.
import type { Comparison, Filter, FilterValue } from "./scim-filter.ts";

/** Value of a multi-valued attribute. */
type Element = Readonly<Record<string, string | boolean>>;

/** Filter from which a new value can be created, such as `type eq "work"`. */
export type SimpleEquality = Extract<Filter, { kind: "comparison" }> & { comparison: "eq" };

/** Returns true for a filter that compares one sub-attribute with `eq`. */
export function isSimpleEquality(filter: Filter): filter is SimpleEquality {
  return filter.kind === "comparison" && filter.comparison === "eq";
}

/** Returns true if a filter matches a value of a multi-valued attribute. Ignores case. */
export function matchesElement(filter: Filter, element: Element): boolean {
  switch (filter.kind) {
    case "and":
      return filter.filters.every((part) => matchesElement(part, element));
    case "or":
      return filter.filters.some((part) => matchesElement(part, element));
    case "not":
      return !matchesElement(filter.filter, element);
    case "element":
      // An element has no elements.
      return false;
    case "present":
      return find(element, filter.path) !== undefined;
    case "comparison":
      return compare(find(element, filter.path), filter.comparison, filter.value);
  }
}

function find(element: Element, path: string): string | boolean | undefined {
  return Object.entries(element).find(([name]) => name.toLowerCase() === path)?.[1];
}

/** Compares values as strings, because Microsoft Entra sends booleans as "True" and "False". */
function compare(found: string | boolean | undefined, comparison: Comparison, value: FilterValue): boolean {
  const one = String(found ?? "").toLowerCase();
  const other = String(value ?? "").toLowerCase();
  switch (comparison) {
    case "eq":
      return one === other;
    case "ne":
      return one !== other;
    case "co":
      return one.includes(other);
    case "sw":
      return one.startsWith(other);
    case "ew":
      return one.endsWith(other);
    case "gt":
      return one > other;
    case "ge":
      return one >= other;
    case "lt":
      return one < other;
    case "le":
      return one <= other;
  }
}
