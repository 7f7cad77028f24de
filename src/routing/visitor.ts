// Pure: no I/O, clock or randomness.
import { parseAcceptLanguage } from "../core/accept-language.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { memoize } from "../core/memo.ts";
import type { TrafficClass } from "../scans/traffic.ts";
import type { Geo } from "./geo.ts";
import type { Browser, Device, OperatingSystem, Visitor } from "./rules.ts";
import { findScannerSign } from "./scanners.ts";
import { type Agent, findOs, parseUserAgent, USER_AGENT_MAX_LENGTH } from "./user-agent.ts";

/**
 * Minimum quality of a language in `Accept-Language`. A lower quality means that the visitor understands the
 * language but doesn't prefer it.
 */
const LANGUAGE_QUALITY_MIN = 0.5;
/** Cloudflare's codes for an unknown country and for Tor. */
const UNKNOWN_COUNTRIES = new Set(["XX", "T1"]);

/** Visitor of a request. Headers are parsed on first use. */
export class RequestVisitor implements Visitor {
  readonly #headers: Headers;
  readonly #url: URL;
  readonly #geo: Geo;
  #agent: Agent | undefined;
  #languages: readonly string[] | undefined;
  #traffic: TrafficClass | undefined;
  #opensManyLinks = false;
  #address: string | null | undefined;
  #userAgent: string | null | undefined;

  constructor(headers: Headers, url: URL, geo: Geo) {
    this.#headers = headers;
    this.#url = url;
    this.#geo = geo;
  }

  get country(): string | null {
    const { country } = this.#geo;
    return country === undefined || UNKNOWN_COUNTRIES.has(country) ? null : country;
  }

  get continent(): string | null {
    return this.#geo.continent ?? null;
  }

  /** ISO 3166-2 code, built from the country and Cloudflare's region code. */
  get region(): string | null {
    const { regionCode } = this.#geo;
    return this.country === null || !regionCode ? null : `${this.country}-${regionCode}`;
  }

  // Client hints take precedence, because they distinguish an Android tablet that requests desktop pages from
  // a Linux machine, and an iPad from a Mac. A visitor with a mobile operating system and a desktop user
  // agent uses such a tablet.
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

  get search(): string {
    return this.#url.search;
  }

  /** Host of the page that contained the link. */
  get referrer(): string | null {
    const referrer = this.#headers.get("Referer");
    if (referrer === null || !URL.canParse(referrer)) return null;
    return normalizeHostname(new URL(referrer).hostname) || null;
  }

  share(salt: string): number {
    const address = this.address ?? "";
    const userAgent = this.userAgent?.slice(0, USER_AGENT_MAX_LENGTH) ?? "";
    return hash32(`${salt}:${address}:${userAgent}`) % 100;
  }

  /** Traffic class of the request. Only `human` counts as a scan. */
  get traffic(): TrafficClass {
    this.#traffic ??= this.#classify();
    return this.#traffic === "human" && this.#opensManyLinks ? "scanner" : this.#traffic;
  }

  /** True for the user agent of a known browser, which may also be a scanner's. */
  get isBrowser(): boolean {
    return this.#parsed.signs.isBrowser;
  }

  /** IP address of the visitor. */
  get address(): string | null {
    if (this.#address === undefined) this.#address = this.#headers.get("CF-Connecting-IP");
    return this.#address;
  }

  get userAgent(): string | null {
    if (this.#userAgent === undefined) this.#userAgent = this.#headers.get("User-Agent");
    return this.#userAgent;
  }

  /** Marks a browser whose address opens many links at once, which makes it a scanner. */
  markOpensManyLinks(): void {
    this.#opensManyLinks = true;
  }

  #classify(): TrafficClass {
    const { isPreview, isBot, signs } = this.#parsed;
    if (isPreview) return "preview";
    if (isBot) return "bot";
    if (isPrefetch(this.#headers)) return "prefetch";
    const isHttps = this.#url.protocol === "https:";
    const { address } = this;
    const { asn } = this.#geo;
    const sign = findScannerSign({ signs, headers: this.#headers, isHttps, address, asn });
    return sign === null ? "human" : "scanner";
  }

  get #parsed(): Agent {
    this.#agent ??= parseUserAgent(this.userAgent);
    return this.#agent;
  }
}

function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get("Sec-Purpose") ?? headers.get("Purpose");
  return purpose?.includes("prefetch") ?? false;
}

/** Memoized, because most browsers with the same language send the same header. */
const parseLanguagesMemoized = memoize((header: string) => parseAcceptLanguage(header, LANGUAGE_QUALITY_MIN));

/**
 * Returns the 32-bit FNV-1a hash of a text, mixed by MurmurHash3's fmix32 so that similar texts get unrelated
 * hashes.
 */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
