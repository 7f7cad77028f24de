// Pure: no I/O, clock or randomness.
import type { When } from "../routing/rules.ts";

/** Serializes conditions so that conditions differing only in the order of keys and values are equal. */
export function toCanonicalJson(conditions: When): string {
  const entries = Object.entries(conditions).map(([key, value]) => [key, sorted(value)] as const);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value)].sort();
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, member]) => [key, sorted(member)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
