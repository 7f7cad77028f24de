import { normalizeHostname } from "../core/hosts.ts";
import { memoized } from "../core/memo.ts";
import type { Browser, Device, OperatingSystem, Visitor } from "./rules.ts";
import { type Agent, findOs, parseUserAgent } from "./user-agent.ts";

/** Accept-Language entries below this quality say "if need be", not "I read this". */
const LANGUAGE_QUALITY_MIN = 0.5;
const UNKNOWN_COUNTRIES = new Set(["XX", "T1"]);

/** What Cloudflare tells of where a request comes from. */
export interface Geo {
  country?: string | undefined;
  continent?: string | undefined;
  regionCode?: string | undefined;
}

/** The visitor behind a request. What has to be parsed is parsed when first asked for. */
export class RequestVisitor implements Visitor {
  readonly #headers: Headers;
  readonly #url: URL;
  readonly #place: Geo;
  #agent: Agent | undefined;
  #languages: readonly string[] | undefined;

  constructor(headers: Headers, url: URL, place: Geo) {
    this.#headers = headers;
    this.#url = url;
    this.#place = place;
  }

  get country(): string | null {
    const { country } = this.#place;
    return country === undefined || UNKNOWN_COUNTRIES.has(country) ? null : country;
  }

  get continent(): string | null {
    return this.#place.continent ?? null;
  }

  /** ISO 3166-2: the country and Cloudflare's code of the region. */
  get region(): string | null {
    const { regionCode } = this.#place;
    return this.country === null || !regionCode ? null : `${this.country}-${regionCode}`;
  }

  // Client hints come first: they tell an Android tablet that asks for desktop pages from a Linux machine, and an iPad
  // from a Mac. A system that no desktop has, under a desktop's user agent, is such a tablet.
  get device(): Device | null {
    if (this.#headers.get("Sec-CH-UA-Mobile") === "?1") return "mobile";
    const { device } = this.#parsed;
    return device === "desktop" && (this.os === "ios" || this.os === "android") ? "tablet" : device;
  }

  get os(): OperatingSystem | null {
    const platform = this.#headers.get("Sec-CH-UA-Platform")?.replaceAll('"', "");
    return findOs(platform) ?? this.#parsed.os;
  }

  get browser(): Browser | null {
    return this.#parsed.browser;
  }

  get languages(): readonly string[] {
    this.#languages ??= parseLanguagesMemoized(this.#headers.get("Accept-Language") ?? "");
    return this.#languages;
  }

  get query(): URLSearchParams {
    return this.#url.searchParams;
  }

  /** Host of the page the link was on. */
  get referrer(): string | null {
    const referrer = this.#headers.get("Referer");
    if (referrer === null || !URL.canParse(referrer)) return null;
    return normalizeHostname(new URL(referrer).hostname) || null;
  }

  share(salt: string): number {
    const address = this.#headers.get("CF-Connecting-IP") ?? "";
    return hash32(`${salt}:${address}:${this.#headers.get("User-Agent") ?? ""}`) % 100;
  }

  /** A GET by a person or a script: no crawler, no link preview, and no browser fetching ahead of a click. */
  get isScan(): boolean {
    return !isPrefetch(this.#headers) && !this.#parsed.isBot;
  }

  get #parsed(): Agent {
    this.#agent ??= parseUserAgent(this.#headers.get("User-Agent"));
    return this.#agent;
  }
}

function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get("Sec-Purpose") ?? headers.get("Purpose");
  return purpose?.includes("prefetch") ?? false;
}

/**
 * Tags of an Accept-Language header (RFC 9110 section 12.5.4) that reach the quality asked for, in lower case, best
 * liked first.
 */
export function parseAcceptLanguage(header: string): string[] {
  const languages = header.split(",").map((entry) => {
    const [tag = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    return { tag, quality: Number(quality) };
  });
  return languages
    .filter(({ tag, quality }) => tag !== "" && tag !== "*" && quality >= LANGUAGE_QUALITY_MIN)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/** Browsers of one language all send the same. */
const parseLanguagesMemoized = memoized(parseAcceptLanguage);

/** FNV-1a with a final mix (Appleby's fmix32), so that texts that differ in their last character spread too. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
