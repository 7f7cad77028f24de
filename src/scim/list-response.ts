// Pure: no I/O, clock or randomness.
import { createInputError } from "./scim-error.ts";

const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
/** Maximum number of resources per page. */
export const PAGE_MAX = 200;
const PAGE_DEFAULT = 100;
/** Maximum `startIndex`. No list is this long, because a workspace has at most 10,000 members. */
const INDEX_MAX = 10_001;

/** Page of a list to return (RFC 7644 section 3.4.2.4). */
export interface ScimPage {
  /** Index of the first resource, starting at 1. */
  startIndex: number;
  count: number;
}

/**
 * Reads `startIndex` and `count`. Changes values outside the limits to the nearest limit. Throws
 * `invalidValue`.
 */
export function parsePage(query: URLSearchParams): ScimPage {
  const startIndex = readInteger(query, "startIndex") ?? 1;
  const count = readInteger(query, "count") ?? PAGE_DEFAULT;
  return {
    startIndex: Math.min(Math.max(startIndex, 1), INDEX_MAX),
    count: Math.min(Math.max(count, 0), PAGE_MAX),
  };
}

function readInteger(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)?.trim() ?? "";
  if (text === "") return null;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw createInputError("invalidValue", `${name} must be an integer.`);
}

export function buildList(resources: readonly unknown[], total: number, startIndex: number) {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}
