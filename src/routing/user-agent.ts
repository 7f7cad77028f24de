import Bowser from "bowser";
import { isbot } from "isbot";
import { memoized } from "../core/memo.ts";
import type { Browser, Device, OperatingSystem } from "./rules.ts";

/** What a user agent string says of who sent it. */
export interface Agent {
  device: Device | null;
  os: OperatingSystem | null;
  browser: Browser | null;
  /** A crawler or a fetcher of link previews: it follows links, but nobody scanned anything. */
  isBot: boolean;
}

/**
 * Programs with which people and scripts fetch an address on purpose. `isbot` takes them for bots; here they count
 * as scans (decisions section 3).
 */
const HTTP_CLIENT =
  /^(?:curl|wget|aria2|httpie|xh|python|urllib3|aiohttp|httpx|go-http-client|java|okhttp|apache-httpclient|jakarta commons-httpclient|jersey|reactornetty|unirest|vert\.x|akka-http|axios|node|undici|got|ky|superagent|needle|request|deno|bun|ruby|faraday|http\.rb|httparty|typhoeus|php|guzzlehttp|symfony|dart|libwww-perl|lwp|perl|http-tiny|postmanruntime|thunder client|insomnia|bruno|hoppscotch|rest-client|restsharp|reqwest|hyper|ureq|rust|cpp-httplib|winhttp|k6|hey|wrk|bombardier|autocannon|vegeta|apachebench|cfnetwork|alamofire|powershell|elixir|hackney|finch|lua)\b/i;

/** A crawler that names the program it is made with: `curl/7.54 (compatible; …bot/2.1)`, `python-scrapybot`. */
const CRAWLER = /bot|crawl|spider|\(compatible;/i;

/** Reads a `User-Agent` header. Without one nothing is known, and it is no bot. */
export function parseUserAgent(header: string | null): Agent {
  return header ? parseMemoized(header) : { device: null, os: null, browser: null, isBot: false };
}

/** A few strings make most requests, and reading one costs more than all else of a redirect. */
const parseMemoized = memoized(read);

// Maps, no objects: the names come from headers, and every object has a member "constructor".
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

function read(header: string): Agent {
  const { browser, os: system, platform } = Bowser.parse(header);
  const os = findOs(system.name);
  return {
    // The parser leaves the device of a Chromebook open.
    device: DEVICE_TYPES.get(platform.type) ?? (os === "chromeos" ? "desktop" : null),
    os,
    browser: BROWSER_NAMES.get(browser.name) ?? null,
    isBot: isbot(header) && (CRAWLER.test(header) || !HTTP_CLIENT.test(header)),
  };
}

/** The operating system by the name that user agents and client hints give it. */
export function findOs(name: string | undefined): OperatingSystem | null {
  return OS_NAMES.get(name) ?? null;
}
