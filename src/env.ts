import { isLoopbackAddress, isWithin, normalizeHostname } from "./core/hosts.ts";

/** The Worker's vars, parsed (decisions section 0). Hosts are names without a port. */
export interface Settings {
  apiUrl: string;
  bioUrl: string;
  cdnUrl: string;
  apiHost: string;
  bioHost: string;
  cdnHost: string;
  /** The name below which every workspace has its own short host. */
  shortHost: string;
  /** What stands before a short host: `https://` (or `http://`, as in `API_URL`). */
  shortScheme: string;
  /** What stands after a short host: empty, or `:` and the port of the local start. */
  shortPort: string;
  /** Set for the local start only: also permits http and loopback in outbound requests (decisions section 9). */
  allowLoopback: boolean;
  /** Null where it is not configured: then the roll-ups alone count scans. */
  analyticsSql: SqlApi | null;
}

/** The SQL API of Analytics Engine. The token reads the account's analytics and must not get into a log. */
export interface SqlApi {
  url: string;
  token: string;
}

/** The vars that {@link parseSettings} parses. */
export interface Vars {
  API_URL: string;
  SHORT_DOMAIN: string;
  BIO_URL: string;
  CDN_URL: string;
  ALLOW_LOOPBACK: string;
  /** The Cloudflare account whose Analytics Engine holds the scans. */
  ANALYTICS_ACCOUNT_ID?: string;
  /** Secret: an API token of that account with "Account Analytics: Read". */
  ANALYTICS_API_TOKEN?: string;
  /** Root of the Cloudflare API; set to try another one out. */
  ANALYTICS_API_URL?: string;
}

const CLOUDFLARE_API_URL = "https://api.cloudflare.com/client/v4";

const parsed = new WeakMap<object, Settings>();

/** {@link parseSettings}, once for each `env` object an isolate is given. */
export function getSettings(env: Vars): Settings {
  let settings = parsed.get(env);
  if (settings === undefined) {
    settings = parseSettings(env);
    parsed.set(env, settings);
  }
  return settings;
}

/** Parses the vars. Throws on an address that is none, at the first request after a faulty deployment. */
export function parseSettings(vars: Vars): Settings {
  const api = new URL(vars.API_URL);
  const bio = new URL(vars.BIO_URL);
  const cdn = new URL(vars.CDN_URL);
  const short = new URL(`${api.protocol}//${vars.SHORT_DOMAIN}`);
  return {
    apiUrl: api.origin,
    bioUrl: bio.origin,
    cdnUrl: cdn.origin,
    apiHost: normalizeHostname(api.hostname),
    bioHost: normalizeHostname(bio.hostname),
    cdnHost: normalizeHostname(cdn.hostname),
    shortHost: normalizeHostname(short.hostname),
    shortScheme: `${api.protocol}//`,
    shortPort: short.port === "" ? "" : `:${short.port}`,
    allowLoopback: vars.ALLOW_LOOPBACK === "true",
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

/** Address of a short code on a workspace's host. */
export function shortUrl(settings: Settings, hostname: string, shortCode: string): string {
  return `${settings.shortScheme}${hostname}${settings.shortPort}/${shortCode}`;
}

/**
 * Whether a URL leads to this deployment by its own configuration: an API, bio, CDN or short host. Hosts that
 * workspaces added stand in the table `domains` and are asked for there.
 */
export function isOwnHost(settings: Settings, url: URL): boolean {
  if (!isOwnPort(settings, url)) return false;
  const hostname = normalizeHostname(url.hostname);
  return (
    hostname === settings.apiHost ||
    hostname === settings.bioHost ||
    hostname === settings.cdnHost ||
    isWithin(hostname, settings.shortHost) ||
    (settings.allowLoopback && isLoopbackAddress(hostname))
  );
}

/** Whether a URL names the port this deployment listens on; another port of the host is another service. */
export function isOwnPort(settings: Settings, url: URL): boolean {
  return (url.port === "" ? "" : `:${url.port}`) === settings.shortPort;
}
