// Pure: no I/O, clock or randomness.
import { memoize } from "../core/memo.ts";

/** Query parameters of a destination that name its campaign. Each is a dimension of scans. */
export const UTM_PARAMETERS = ["utm_source", "utm_medium", "utm_campaign"] as const;

/** Name for a missing value. A destination that has it as a value counts as one without the parameter. */
export const WITHOUT_UTM = "none";

/** Values of the UTM parameters that a destination has. */
export type UtmValues = Partial<Record<(typeof UTM_PARAMETERS)[number], string>>;

/** Maximum length of a counted value in characters. Bounds the size that a scan adds to a batch. */
const VALUE_MAX_LENGTH = 100;

/**
 * Returns the decoded UTM parameters of a destination, or undefined if it has none. Only the first value of a
 * parameter counts.
 */
export function readUtm(destination: string): UtmValues | undefined {
  return (destination.includes("utm_") && readUtmMemoized(destination)) || undefined;
}

const readUtmMemoized = memoize((destination: string): UtmValues | null => {
  const parameters = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(destination)?.[1]);
  const found = UTM_PARAMETERS.flatMap((name) => {
    const value = tidyValue(parameters.get(name) ?? "");
    return value === "" || value === WITHOUT_UTM ? [] : [[name, value]];
  });
  return found.length === 0 ? null : Object.fromEntries(found);
});

/** Shortens a value to its first characters. Never splits a character of two UTF-16 units. */
function tidyValue(value: string): string {
  const short = value.trim().slice(0, VALUE_MAX_LENGTH);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
