import type { Browser, Device, OperatingSystem } from "./rules.ts";
import { RequestVisitor } from "./visitor.ts";

/** Facts of a visitor who may come. All are optional; an absent one is unknown. */
export interface VisitorDescription {
  /** ISO 3166-1 alpha-2. If absent, that of `region`. */
  country?: string | undefined;
  continent?: string | undefined;
  /** ISO 3166-2, in the country. */
  region?: string | undefined;
  /** Takes precedence over the user agent, as `os` and `browser` do. */
  device?: Device | undefined;
  os?: OperatingSystem | undefined;
  browser?: Browser | undefined;
  /** Accepted languages (BCP 47), preferred ones first. */
  languages?: readonly string[] | undefined;
  /** Parameters of the short URL. */
  query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  user_agent?: string | undefined;
  ip?: string | undefined;
}

/** Visitor of a request that is only described. What is not described is read from the headers that it would have. */
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
  const headers = new Headers();
  if (languages !== undefined) headers.set("Accept-Language", languages.join(","));
  if (userAgent !== undefined) headers.set("User-Agent", userAgent);
  if (ip !== undefined) headers.set("CF-Connecting-IP", ip);
  return headers;
}

/** Builds a URL with the parameters. Its host does not matter. */
function buildUrl({ query = {} }: VisitorDescription): URL {
  const url = new URL("https://visitor.invalid/");
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  return url;
}
