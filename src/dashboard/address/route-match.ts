// Pure: no I/O, clock or randomness.

/** Matches paths with the patterns of screens. A pattern segment that begins with `:` matches any segment. */

export type RouteParameters = Readonly<Record<string, string>>;

/** Matches a path against a pattern such as `/links/:id`. Returns the named segments, or null. */
export function matchPath(pattern: string, path: string): RouteParameters | null {
  const expected = splitPath(pattern);
  const given = splitPath(path);
  if (expected.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = given[index] ?? "";
    if (segment.startsWith(":")) {
      const decoded = decodeSegment(value);
      if (decoded === null) return null;
      parameters[segment.slice(1)] = decoded;
    } else if (segment !== value) return null;
  }
  return parameters;
}

/** Finds the first route whose pattern matches a path. */
export function findRoute<Route extends { path: string }>(
  routes: readonly Route[],
  path: string,
): { route: Route; parameters: RouteParameters } | null {
  for (const route of routes) {
    const parameters = matchPath(route.path, path);
    if (parameters !== null) return { route, parameters };
  }
  return null;
}

/** Splits a path into segments. Ignores a trailing slash. */
function splitPath(path: string): string[] {
  return path.split("/").filter((segment) => segment !== "");
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
