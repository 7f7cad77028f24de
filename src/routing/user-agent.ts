// Pure: no I/O, clock or randomness.
import Bowser from "bowser";
import { isbot } from "isbot";
import { memoize } from "../core/memo.ts";
import { PREVIEW_PATTERN } from "./preview-fetchers.ts";
import type { Browser, Device, OperatingSystem } from "./rules.ts";
import { type AgentSigns, NO_SIGNS, readAgentSigns } from "./scanners.ts";

/** Facts derived from a user agent string. */
export interface Agent {
  device: Device | null;
  os: OperatingSystem | null;
  browser: Browser | null;
  /** True for crawlers and link preview fetchers. */
  isBot: boolean;
  /** True for link preview fetchers. */
  isPreview: boolean;
  signs: AgentSigns;
}

/**
 * HTTP clients that people and scripts use on purpose. The package `isbot` classifies these clients as bots.
 * Here their requests count as scans.
 */
const HTTP_CLIENT =
  /^(?:curl|wget|aria2|httpie|xh|python|urllib3|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|jakarta commons-httpclient|jersey|reactornetty|unirest|vert\.x|akka-http|axios|node|undici|got|ky|superagent|needle|request|deno|bun|ruby|faraday|http\.rb|httparty|typhoeus|php|guzzlehttp|symfony|dart|libwww-perl|lwp|perl|http-tiny|postmanruntime|thunder client|insomnia|bruno|hoppscotch|rest-client|restsharp|reqwest|hyper|ureq|rust|cpp-httplib|winhttp|k6|hey|wrk|bombardier|autocannon|vegeta|apachebench|cfnetwork|alamofire|powershell|elixir|hackney|finch|lua)\b/i;

/**
 * Crawlers whose header contains the name of their HTTP client: `curl/7.54 (compatible; …bot/2.1)`,
 * `python-scrapybot`.
 */
const CRAWLER = /bot|crawl|spider|\(compatible;/i;

/**
 * Maximum number of characters of a `User-Agent` header that are parsed. Browsers don't send more, and
 * parsing time grows with the length.
 */
export const USER_AGENT_MAX_LENGTH = 1_000;

/** Parses a `User-Agent` header. Without a header, all facts are unknown and the visitor isn't a bot. */
export function parseUserAgent(header: string | null): Agent {
  if (!header)
    return { device: null, os: null, browser: null, isBot: false, isPreview: false, signs: NO_SIGNS };
  if (header.length <= USER_AGENT_MAX_LENGTH) return parseMemoized(header);
  // Not memoized, because a substring keeps the whole string in memory.
  return parse(header.slice(0, USER_AGENT_MAX_LENGTH));
}

/**
 * Memoized, because parsing costs more than the rest of a redirect, and most requests share a few strings.
 */
const parseMemoized = memoize(parse);

// Uses maps instead of objects, because names come from headers and all objects have a member "constructor".
const OS_NAMES = new Map<string | undefined, OperatingSystem>([
  ["iOS", "ios"],
  ["iPadOS", "ios"],
  ["Android", "android"],
  ["Windows", "windows"],
  ["macOS", "macos"],
  ["Linux", "linux"],
  ["Chrome OS", "chromeos"],
  ["Chromium OS", "chromeos"],
]);

const BROWSER_NAMES = new Map<string | undefined, Browser>([
  ["Chrome", "chrome"],
  ["Chromium", "chrome"],
  ["Safari", "safari"],
  ["Firefox", "firefox"],
  ["Microsoft Edge", "edge"],
  ["Opera", "opera"],
  ["Opera Touch", "opera"],
  ["Samsung Internet for Android", "samsung"],
]);

const DEVICE_TYPES = new Map<string | undefined, Device>([
  ["mobile", "mobile"],
  ["tablet", "tablet"],
  ["desktop", "desktop"],
]);

function parse(header: string): Agent {
  const { browser, os: system, platform } = Bowser.parse(header);
  const os = findOs(system.name);
  const isPreview = PREVIEW_PATTERN.test(header);
  const isBot = isPreview || (isbot(header) && (CRAWLER.test(header) || !HTTP_CLIENT.test(header)));
  return {
    // Bowser doesn't detect the device type of Chromebooks.
    device: DEVICE_TYPES.get(platform.type) ?? (os === "chromeos" ? "desktop" : null),
    os,
    browser: BROWSER_NAMES.get(browser.name) ?? null,
    isBot,
    isPreview,
    signs: readAgentSigns(header),
  };
}

/** Returns the operating system for a name from a user agent or client hint, or null. */
export function findOs(name: string | undefined): OperatingSystem | null {
  return OS_NAMES.get(name) ?? null;
}
