import Bowser from "bowser";
import { isbot } from "isbot";
import { memoize } from "../core/memo.ts";
import { PREVIEW_PATTERN } from "./preview-fetchers.ts";
import type { Browser, Device, OperatingSystem } from "./rules.ts";

/** Facts of a user agent string. */
export interface Agent {
  device: Device | null;
  os: OperatingSystem | null;
  browser: Browser | null;
  /** True for a crawler or a fetcher of link previews. */
  isBot: boolean;
  /** True for a fetcher of link previews. */
  isPreview: boolean;
}

/** HTTP clients that people and scripts use on purpose. `isbot` classifies them as bots; here they count as scans. */
const HTTP_CLIENT =
  /^(?:curl|wget|aria2|httpie|xh|python|urllib3|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|jakarta commons-httpclient|jersey|reactornetty|unirest|vert\.x|akka-http|axios|node|undici|got|ky|superagent|needle|request|deno|bun|ruby|faraday|http\.rb|httparty|typhoeus|php|guzzlehttp|symfony|dart|libwww-perl|lwp|perl|http-tiny|postmanruntime|thunder client|insomnia|bruno|hoppscotch|rest-client|restsharp|reqwest|hyper|ureq|rust|cpp-httplib|winhttp|k6|hey|wrk|bombardier|autocannon|vegeta|apachebench|cfnetwork|alamofire|powershell|elixir|hackney|finch|lua)\b/i;

/** Crawlers that name the HTTP client they are built on: `curl/7.54 (compatible; …bot/2.1)`, `python-scrapybot`. */
const CRAWLER = /bot|crawl|spider|\(compatible;/i;

/**
 * Part of a `User-Agent` header that is read. No browser sends a longer one, and the time of the patterns grows with it.
 */
export const USER_AGENT_MAX_LENGTH = 1_000;

/** Parses a `User-Agent` header. Without one every fact is unknown, and the visitor is no bot. */
export function parseUserAgent(header: string | null): Agent {
  if (!header) return { device: null, os: null, browser: null, isBot: false, isPreview: false };
  if (header.length <= USER_AGENT_MAX_LENGTH) return parseMemoized(header);
  // Not memoized, because a part of a text keeps the whole text in memory.
  return parse(header.slice(0, USER_AGENT_MAX_LENGTH));
}

/** Memoized, since parsing costs more than the rest of a redirect and few strings make most requests. */
const parseMemoized = memoize(parse);

// Maps instead of objects, because names come from headers and every object has a member "constructor".
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
    // Bowser does not know the device type of a Chromebook.
    device: DEVICE_TYPES.get(platform.type) ?? (os === "chromeos" ? "desktop" : null),
    os,
    browser: BROWSER_NAMES.get(browser.name) ?? null,
    isBot,
    isPreview,
  };
}

/** Returns the operating system for a name from a user agent or a client hint, or null. */
export function findOs(name: string | undefined): OperatingSystem | null {
  return OS_NAMES.get(name) ?? null;
}
