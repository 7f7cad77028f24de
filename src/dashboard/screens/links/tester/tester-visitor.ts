// Pure: no I/O, clock or randomness.

/** Simulated visitor of the tester, and its conversion to the page's URL and to a request body. */

/** Form state of the visitor. An empty string means unknown. */
export interface TestVisitor {
  country: string;
  region: string;
  continent: string;
  languages: readonly string[];
  device: string;
  os: string;
  browser: string;
  /** Query parameters of the short URL, such as `a=1&b=2`. */
  query: string;
  /** ISO 8601. An empty string means now. */
  at: string;
  userAgent: string;
  ip: string;
}

/** Visitor without known properties. */
export const UNKNOWN_VISITOR: TestVisitor = {
  country: "",
  region: "",
  continent: "",
  languages: [],
  device: "",
  os: "",
  browser: "",
  query: "",
  at: "",
  userAgent: "",
  ip: "",
};

const TEXTS = [
  "country",
  "region",
  "continent",
  "device",
  "os",
  "browser",
  "query",
  "at",
  "userAgent",
  "ip",
] as const;

/** Reads the visitor from a parameter of the page's URL. */
export function readVisitor(text: string): TestVisitor {
  const parameters = new URLSearchParams(text);
  const texts = Object.fromEntries(TEXTS.map((name) => [name, parameters.get(name) ?? ""]));
  return { ...UNKNOWN_VISITOR, ...texts, languages: parameters.getAll("language") };
}

/** Formats a visitor as a parameter of the page's URL. */
export function formatVisitor(visitor: TestVisitor): string {
  const known = TEXTS.filter((name) => visitor[name] !== "");
  const parameters = new URLSearchParams(known.map((name) => [name, visitor[name]]));
  for (const language of visitor.languages) parameters.append("language", language);
  return parameters.toString();
}

/** Request body that describes a visitor. */
export interface VisitorBody {
  country?: string;
  region?: string;
  continent?: string;
  device?: string;
  os?: string;
  browser?: string;
  languages?: string[];
  query?: Record<string, string[]>;
  at?: string;
  user_agent?: string;
  ip?: string;
}

/** Converts a visitor to a request body. Unknown properties are left out. */
export function toVisitorBody(visitor: TestVisitor): VisitorBody {
  const { country, region, continent, device, os, browser, languages, query, at, userAgent, ip } = visitor;
  const texts = { country, region, continent, device, os, browser, at, user_agent: userAgent, ip };
  const given = Object.entries(texts).map(([name, text]) => [name, text.trim()] as const);
  const parameters = groupParameters(query);
  return {
    ...Object.fromEntries(given.filter(([, text]) => text !== "")),
    ...(languages.length > 0 && { languages: [...languages] }),
    ...(Object.keys(parameters).length > 0 && { query: parameters }),
  };
}

function groupParameters(query: string): Record<string, string[]> {
  const groups: Record<string, string[]> = {};
  for (const [name, value] of new URLSearchParams(query.trim())) {
    // The API rejects empty names, which "=1" has while the user is typing.
    if (name !== "") groups[name] = [...(groups[name] ?? []), value];
  }
  return groups;
}
