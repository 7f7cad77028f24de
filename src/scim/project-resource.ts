// Pure: no I/O, clock or randomness.
import { normalizePath } from "./scim-filter.ts";

type Resource = Readonly<Record<string, unknown>>;

/** Attributes included in all responses (RFC 7643 section 7, "returned": "always"). */
const ALWAYS = new Set(["id", "schemas"]);
const LIST_MAX_LENGTH = 2_000;

/** Attributes that a request includes or excludes (RFC 7644 section 3.9), in lower case. */
export interface Projection {
  /** Null if the request names no attributes. The response then has all attributes that aren't excluded. */
  attributes: ReadonlySet<string> | null;
  excluded: ReadonlySet<string>;
}

/** Reads the query parameters `attributes` and `excludedAttributes`. */
export function parseProjection(query: URLSearchParams): Projection {
  const attributes = parseList(query.get("attributes"));
  return {
    attributes: attributes.size === 0 ? null : attributes,
    excluded: parseList(query.get("excludedAttributes")),
  };
}

function parseList(text: string | null): Set<string> {
  const names = (text ?? "").slice(0, LIST_MAX_LENGTH).split(",");
  return new Set(names.map((name) => normalizePath(name.trim())).filter((name) => name !== ""));
}

/** Returns true if the response includes an attribute, given in lower case, or a part of it. */
export function isShown({ attributes, excluded }: Projection, name: string): boolean {
  if (excluded.has(name)) return false;
  if (attributes === null) return true;
  return attributes.has(name) || [...attributes].some((path) => path.startsWith(`${name}.`));
}

/** Returns the attributes of a resource that the response includes. */
export function projectResource(resource: Resource, projection: Projection): Resource {
  const shown = Object.entries(resource).filter(
    ([name]) => ALWAYS.has(name) || isShown(projection, name.toLowerCase()),
  );
  return Object.fromEntries(
    shown.map(([name, value]) => [name, projectValue(name.toLowerCase(), value, projection)]),
  );
}

/** Returns the parts of a value that the response includes. */
function projectValue(name: string, value: unknown, projection: Projection): unknown {
  if (Array.isArray(value)) return value.map((member) => projectValue(name, member, projection));
  if (typeof value !== "object" || value === null) return value;
  const { attributes, excluded } = projection;
  const isWhole = attributes === null || attributes.has(name);
  const parts = Object.entries(value).filter(([part]) => {
    const path = `${name}.${part.toLowerCase()}`;
    return !excluded.has(path) && (isWhole || attributes.has(path));
  });
  return Object.fromEntries(parts);
}
