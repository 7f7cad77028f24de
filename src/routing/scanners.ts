// Pure: no I/O, clock or randomness.
import { toNetwork, toSite } from "./network.ts";

/**
 * Decides which visitors are scanners: programs of mail and chat security services that open every link of a
 * message and pose as browsers. The guide at `/docs` describes the same decisions.
 */

/** Signs of a scanner, in the order in which they are checked. */
export type ScannerSign =
  /** The request comes from a network of a security service. */
  | "network"
  /** The user agent belongs to a security service. */
  | "agent"
  /** The user agent is a current browser's, but the request lacks headers that the browser always sends. */
  | "headers";

/** Networks of a security service. */
interface ScannerNetworks {
  vendor: string;
  /** Numbers of autonomous systems. Unknown on a service that doesn't run at Cloudflare. */
  asns?: readonly number[];
  /** IPv4 blocks in CIDR notation, and /48 networks of IPv6. */
  blocks?: readonly string[];
  /** Public source of the numbers. */
  source: string;
}

const NETWORK_LIST = "https://github.com/warmbly/warmbly/pull/412";

/**
 * Networks from which security services open links. Microsoft also scans from Azure, so all of its network counts.
 * People who browse on a cloud PC there, or through the browser isolation of these vendors, are taken for scanners.
 */
export const SCANNER_NETWORKS: readonly ScannerNetworks[] = [
  {
    vendor: "Microsoft Defender for Office 365 (Safe Links)",
    asns: [8075],
    source: "https://github.com/outline/outline/issues/9227",
  },
  {
    vendor: "Microsoft Defender for Office 365 (Safe Links)",
    blocks: ["40.94.0.0/16"],
    source: "https://github.com/opencollective/opencollective/issues/3656",
  },
  {
    vendor: "Microsoft Exchange Online Protection",
    blocks: [
      ...["40.92.0.0/15", "40.107.0.0/16", "52.100.0.0/14", "104.47.0.0/17"],
      ...["2a01:111:f400::/48", "2a01:111:f403::/48"],
    ],
    source: "https://learn.microsoft.com/en-us/microsoft-365/enterprise/urls-and-ip-address-ranges",
  },
  { vendor: "Proofpoint", asns: [22843, 26211, 52129], source: NETWORK_LIST },
  { vendor: "Mimecast", asns: [30031, 39588, 42427, 60492], source: NETWORK_LIST },
  { vendor: "Cisco Secure Email", asns: [16417], source: NETWORK_LIST },
  {
    vendor: "Barracuda Email Gateway Defense",
    blocks: [
      ...[
        "3.24.133.128/25",
        "15.222.16.128/25",
        "35.157.190.224/27",
        "18.185.115.192/26",
        "18.184.203.224/27",
      ],
      ...["13.200.136.128/25", "35.176.92.96/27", "18.133.136.128/26", "18.133.136.96/27", "209.222.80.0/21"],
    ],
    source: "https://campus.barracuda.com/product/emailgatewaydefense/doc/96023004/ip-analysis-inbound/",
  },
];

/** Program of a security service that doesn't call itself a bot. */
interface ScannerAgent {
  vendor: string;
  /** Part of the program's `User-Agent` header, as a case-insensitive regular expression. */
  pattern: string;
  source: string;
}

/** Public list of programs that open links in mail. */
const FIELD_GUIDE = "https://check.live-direct-marketing.online/blog/bot-clicks-security-scanners-detect";

export const SCANNER_AGENTS: readonly ScannerAgent[] = [
  {
    vendor: "Barracuda",
    pattern: "barracuda",
    source: "https://github.com/matomo-org/device-detector/blob/master/regexes/bots.yml",
  },
  { vendor: "Proofpoint", pattern: "proofpoint", source: FIELD_GUIDE },
  { vendor: "Mimecast", pattern: "mimecast", source: FIELD_GUIDE },
  { vendor: "Cisco Secure Email", pattern: "ciscosecureemail|ironport", source: FIELD_GUIDE },
  { vendor: "Trend Micro", pattern: "\\btmes\\b|trend ?micro", source: FIELD_GUIDE },
  { vendor: "Fortinet", pattern: "fortimail|fortisandbox", source: FIELD_GUIDE },
  {
    vendor: "Kaspersky",
    pattern: "kaspersky lab",
    source: "https://github.com/matomo-org/device-detector/blob/master/regexes/bots.yml",
  },
  {
    vendor: "Microsoft Safe Links",
    pattern: "safelinks|microsoft-urlanalyzer|oneoutlook",
    source: "https://github.com/nextauthjs/next-auth/issues/1840",
  },
  {
    // Desktop Chrome before 76 (July 2019). Chrome updates itself, so people no longer use these versions.
    vendor: "Microsoft Safe Links",
    pattern: "\\((?:windows nt|macintosh|x11)[^)]*\\) applewebkit.* chrome\\/(?:[1-6]?\\d|7[0-5])\\.",
    source: "https://github.com/opencollective/opencollective/issues/3656",
  },
];

const SCANNER_PATTERN = new RegExp(SCANNER_AGENTS.map(({ pattern }) => pattern).join("|"), "i");

/** Browser engine, and its first version that sends `Sec-Fetch-*` with every request over https. */
interface Engine {
  name: string;
  /** Captures the major version, and optionally the minor version, from a `User-Agent` header. */
  pattern: RegExp;
  /** Major and minor version. */
  since: readonly [number, number];
  source: string;
}

const MDN = "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Mode";
const WEBKIT = "https://webkit.org/blog/13966/webkit-features-in-safari-16-4/";

/** The first engine that matches applies. All browsers on an iPhone use the WebKit of its iOS version. */
export const ENGINES: readonly Engine[] = [
  {
    name: "WebKit on iOS",
    pattern: /\((?:iPhone|iPad|iPod)[^)]*\bOS (\d+)_(\d+)[^)]*\) AppleWebKit\//,
    since: [16, 4],
    source: WEBKIT,
  },
  { name: "Chromium", pattern: /\bAppleWebKit\/.* (?:Chrome|Chromium)\/(\d+)/, since: [76, 0], source: MDN },
  { name: "Firefox", pattern: /\bGecko\/.* Firefox\/(\d+)/, since: [90, 0], source: MDN },
  {
    name: "Safari on macOS",
    pattern: /\(Macintosh;[^)]*\) AppleWebKit\/.* Version\/(\d+)\.(\d+).* Safari\//,
    since: [16, 4],
    source: WEBKIT,
  },
];

/**
 * Browsers that load pages through servers or network stacks of their own, which may leave out headers. They
 * aren't judged by their headers.
 */
const OWN_NETWORK =
  /UCBrowser|UBrowser|Quark\/|Opera Mini|OPR\/[\d.]+\.2254\.|Puffin\/|QQBrowser|MicroMessenger|baidu|Silk\/|NokiaBrowser/i;

/** Facts of a user agent that tell browsers from programs. */
export interface AgentSigns {
  /** True for agents of known browsers, also inside apps. */
  isBrowser: boolean;
  /** True for browsers that send `Sec-Fetch-*` with every request over https. */
  sendsFetchHeaders: boolean;
  isScanner: boolean;
}

/** Signs of a request without a user agent. */
export const NO_SIGNS: AgentSigns = { isBrowser: false, sendsFetchHeaders: false, isScanner: false };

/** Reads the signs of a `User-Agent` header. */
export function readAgentSigns(header: string): AgentSigns {
  const version = header.startsWith("Mozilla/5.0 (") ? findVersion(header) : null;
  return {
    isBrowser: version !== null,
    sendsFetchHeaders: version === "current" && !OWN_NETWORK.test(header),
    isScanner: SCANNER_PATTERN.test(header),
  };
}

function findVersion(header: string): "current" | "old" | null {
  for (const { pattern, since } of ENGINES) {
    const match = pattern.exec(header);
    if (match === null) continue;
    const [major, minor] = [Number(match[1]), Number(match[2] ?? 0)];
    return major > since[0] || (major === since[0] && minor >= since[1]) ? "current" : "old";
  }
  return null;
}

/** Facts of a request that show a scanner. */
interface ScannerRequest {
  signs: AgentSigns;
  headers: Headers;
  isHttps: boolean;
  address: string | null;
  /** Number of the client's autonomous system. */
  asn: number | undefined;
}

/** Returns the first sign that a request comes from a scanner, or null. */
export function findScannerSign(request: ScannerRequest): ScannerSign | null {
  const { signs, headers, isHttps, address, asn } = request;
  if (isScannerNetwork(asn, address)) return "network";
  if (signs.isScanner) return "agent";
  const isJudged = isHttps && signs.sendsFetchHeaders;
  return isJudged && !headers.has("Sec-Fetch-Mode") && !headers.has("Sec-Fetch-Site") ? "headers" : null;
}

const SCANNER_ASNS: ReadonlySet<number> = new Set(SCANNER_NETWORKS.flatMap(({ asns = [] }) => asns));
const BLOCKS = SCANNER_NETWORKS.flatMap(({ blocks = [] }) => blocks);
const SITES: ReadonlySet<string> = new Set(BLOCKS.filter((block) => block.includes(":")));
/** First and last address of each IPv4 block. */
const RANGES = BLOCKS.filter((block) => !block.includes(":")).map((block) => {
  const [first = "", bits] = block.split("/");
  const start = toNumber(first);
  return [start, start + 2 ** (32 - Number(bits)) - 1] as const;
});

/** First numbers of the IPv4 blocks. No block spans two of them. */
const FIRST_NUMBERS: ReadonlySet<string> = new Set(BLOCKS.map((block) => block.split(".")[0] as string));

function isScannerNetwork(asn: number | undefined, address: string | null): boolean {
  if (asn !== undefined && SCANNER_ASNS.has(asn)) return true;
  if (address === null) return false;
  // Skips the parsing for nearly all visitors.
  if (!address.includes(":") && !FIRST_NUMBERS.has(address.slice(0, address.indexOf(".")))) return false;
  const network = toNetwork(address);
  if (network === null) return false;
  if (network.includes(":")) return SITES.has(toSite(network));
  const number = toNumber(network);
  return RANGES.some(([start, end]) => number >= start && number <= end);
}

/** Returns an IPv4 address as a number, or NaN. */
function toNumber(address: string): number {
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}
