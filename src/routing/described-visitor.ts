import type { Browser, Device, OperatingSystem } from "./rules.ts";
import { RequestVisitor } from "./visitor.ts";

/** Description of a hypothetical visitor. All properties are optional; missing ones are unknown. */
export interface VisitorDescription {
  /** ISO 3166-1 alpha-2. Defaults to the country of `region`. */
  country?: string | undefined;
  continent?: string | undefined;
  /** ISO 3166-2. Must be in the country. */
  region?: string | undefined;
  /** Takes precedence over the user agent, as do `os` and `browser`. */
  device?: Device | undefined;
  os?: OperatingSystem | undefined;
  browser?: Browser | undefined;
  /** Accepted languages (BCP 47), preferred languages first. */
  languages?: readonly string[] | undefined;
  /** Query parameters of the short URL. */
  query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  user_agent?: string | undefined;
  ip?: string | undefined;
}

/**
 * Visitor built from a description instead of a request. Derives missing properties from the headers that
 * such a visitor would send.
 */
export class DescribedVisitor extends RequestVisitor {
  readonly #description: VisitorDescription;

  constructor(description: VisitorDescription) {
    const { country, continent, region } = description;
    const [regionCountry, regionCode] = region?.split("-") ?? [];
    super(buildHeaders(description), buildUrl(description), {
      country: country ?? regionCountry,
      continent,
      regionCode,
    });
    this.#description = description;
  }

  override get isBrowser(): boolean {
    return this.#description.user_agent === undefined || super.isBrowser;
  }

  override get device(): Device | null {
    return this.#description.device ?? super.device;
  }

  override get os(): OperatingSystem | null {
    return this.#description.os ?? super.os;
  }

  override get browser(): Browser | null {
    return this.#description.browser ?? super.browser;
  }
}

function buildHeaders({ languages, user_agent: userAgent, ip }: VisitorDescription): Headers {
  // Like a browser over https, so that a described browser isn't taken for a scanner.
  const headers = new Headers({ "Sec-Fetch-Mode": "navigate" });
  if (languages !== undefined) headers.set("Accept-Language", languages.join(","));
  if (userAgent !== undefined) headers.set("User-Agent", userAgent);
  if (ip !== undefined) headers.set("CF-Connecting-IP", ip);
  return headers;
}

/** Builds a URL with query parameters. The host doesn't matter. */
function buildUrl({ query = {} }: VisitorDescription): URL {
  const url = new URL("https://visitor.invalid/");
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  return url;
}
