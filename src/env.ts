import { normalizeHostname } from "./core/hosts.ts";

/** Parsed vars of the Worker. Hosts are normalized names without a port. */
export interface Settings {
  apiUrl: string;
  bioUrl: string;
  cdnUrl: string;
  /** URL of the app host, where people sign in. Without a path. */
  appUrl: string;
  apiHost: string;
  bioHost: string;
  cdnHost: string;
  appHost: string;
  /** Parent domain of the workspaces' short hosts. */
  shortHost: string;
  /** Prefix of a short URL, with the scheme of `API_URL`: `https://` or `http://`. */
  shortScheme: string;
  /** Suffix of a short host: empty, or `:` and the port of the local start. */
  shortPort: string;
  /** True in the local start only: outbound requests may use http and loopback addresses. */
  allowLoopback: boolean;
  /** Address that answers DNS queries over https (RFC 8484). */
  dnsResolverUrl: string;
  /** Null if Analytics Engine is not configured; the roll-ups then answer every query. */
  analyticsSql: SqlApi | null;
}

/** SQL API of Analytics Engine. The token reads the account's analytics and must not be logged. */
export interface SqlApi {
  url: string;
  token: string;
}

/** Vars and secrets that {@link parseSettings} parses. */
export interface Vars {
  API_URL: string;
  SHORT_DOMAIN: string;
  BIO_URL: string;
  CDN_URL: string;
  APP_URL: string;
  ALLOW_LOOPBACK: string;
  /** Resolver that proofs of domains are asked of. The default is Cloudflare's. */
  DNS_RESOLVER_URL?: string;
  /** Id of the Cloudflare account whose Analytics Engine holds the scans. */
  ANALYTICS_ACCOUNT_ID?: string;
  /** Secret. API token of that account with the permission "Account Analytics: Read". */
  ANALYTICS_API_TOKEN?: string;
  /** Root of the Cloudflare API. Tests set it to a stub. */
  ANALYTICS_API_URL?: string;
}

const DNS_RESOLVER_URL = "https://cloudflare-dns.com/dns-query";
const CLOUDFLARE_API_URL = "https://api.cloudflare.com/client/v4";

const parsed = new WeakMap<object, Settings>();

/** Returns the settings of an `env`, parsed once for each `env` object of an isolate. */
export function getSettings(env: Vars): Settings {
  let settings = parsed.get(env);
  if (settings === undefined) {
    settings = parseSettings(env);
    parsed.set(env, settings);
  }
  return settings;
}

/** Parses the vars. Throws a `TypeError` if an address is not a URL. */
export function parseSettings(vars: Vars): Settings {
  const api = new URL(vars.API_URL);
  const bio = new URL(vars.BIO_URL);
  const cdn = new URL(vars.CDN_URL);
  const app = new URL(vars.APP_URL);
  const short = new URL(`${api.protocol}//${vars.SHORT_DOMAIN}`);
  return {
    apiUrl: api.origin,
    bioUrl: bio.origin,
    cdnUrl: cdn.origin,
    appUrl: app.origin,
    apiHost: normalizeHostname(api.hostname),
    bioHost: normalizeHostname(bio.hostname),
    cdnHost: normalizeHostname(cdn.hostname),
    appHost: normalizeHostname(app.hostname),
    shortHost: normalizeHostname(short.hostname),
    shortScheme: `${api.protocol}//`,
    shortPort: short.port === "" ? "" : `:${short.port}`,
    allowLoopback: vars.ALLOW_LOOPBACK === "true",
    dnsResolverUrl: vars.DNS_RESOLVER_URL || DNS_RESOLVER_URL,
    analyticsSql: parseSqlApi(vars),
  };
}

function parseSqlApi({
  ANALYTICS_ACCOUNT_ID: accountId,
  ANALYTICS_API_TOKEN: token,
  ANALYTICS_API_URL: root,
}: Vars): SqlApi | null {
  if (!accountId || !token) return null;
  const path = `accounts/${encodeURIComponent(accountId)}/analytics_engine/sql`;
  return { url: `${root || CLOUDFLARE_API_URL}/${path}`, token };
}

/** Returns the URL of a short code on a short host. */
export function formatShortUrl(settings: Settings, hostname: string, shortCode: string): string {
  return `${settings.shortScheme}${hostname}${settings.shortPort}/${shortCode}`;
}
