/** Paths of screens. A segment of a pattern that begins with `:` stands for any one segment. */

/** Values of the named segments of a path. */
export type RouteParameters = Readonly<Record<string, string>>;

/** Matches a path with a pattern such as `/links/:id`. Returns the named segments, or null. */
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

/** Splits a path into segments. A slash at the end makes no difference. */
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
