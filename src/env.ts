// Pure: no I/O, clock or randomness.
import { normalizeHostname } from "./core/hosts.ts";
import { memoizeByObject } from "./core/memo.ts";

/** Settings of the Worker, parsed from its vars and secrets. Hosts are normalized names without a port. */
export interface Settings {
  apiUrl: string;
  bioUrl: string;
  cdnUrl: string;
  /** Origin of the app host, which serves sign-in and the dashboard. */
  appUrl: string;
  apiHost: string;
  bioHost: string;
  cdnHost: string;
  appHost: string;
  /** Parent domain of the workspaces' default short hosts. */
  shortHost: string;
  /** Scheme of short URLs, taken from `API_URL`: `https://` or `http://`. */
  shortScheme: string;
  /** Port suffix of short hosts: `:` and the port in local development, otherwise empty. */
  shortPort: string;
  /** True only in local development. Allows outbound requests over HTTP and to loopback addresses. */
  allowLoopback: boolean;
  /** URL of the DNS-over-HTTPS resolver, which must offer `application/dns-json`. */
  dnsResolverUrl: string;
  /** Null if the administrator's sign-in links are the only way to sign in. */
  identityProvider: IdentityProvider | null;
  /** URI (`mailto:` or `https:`) to which people report abuse and security problems. Null if there is none. */
  abuseContact: string | null;
  /** True if the cron checks the destinations of links. Off by default in local development. */
  watchesDestinations: boolean;
  /** Null if Analytics Engine isn't configured. All queries then use the roll-ups. */
  analyticsSql: SqlApi | null;
}

/** OpenID Connect provider that people sign in with. */
export interface IdentityProvider {
  /** Issuer URL, exactly as the provider writes it. */
  issuer: string;
  clientId: string;
  /** Null for a public client. Must not be logged. */
  clientSecret: string | null;
  /** Domains in lower case whose email addresses are trusted without the claim `email_verified`. */
  trustedEmailDomains: readonly string[];
}

/** SQL API of Analytics Engine. The token can read the account's analytics and must not be logged. */
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
  /** Email address or https URL to which people report abuse and security problems. */
  ABUSE_CONTACT?: string;
  /** Jurisdiction of the Durable Objects, `eu`. Empty or missing if they may be anywhere. */
  JURISDICTION?: string;
  /** `true` or `false`. Defaults to true in a deployment, and to false in local development. */
  WATCH_DESTINATIONS?: string;
  /** DNS-over-HTTPS resolver used to verify domains. Defaults to Cloudflare's. */
  DNS_RESOLVER_URL?: string;
  /**
   * Issuer of the identity provider, and Signpost's client id there. If either is missing, people sign in
   * with sign-in links.
   */
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  /** Secret. Not needed for public clients. */
  OIDC_CLIENT_SECRET?: string;
  /** Comma-separated domains whose email addresses are trusted without the claim `email_verified`. */
  OIDC_TRUST_EMAIL?: string;
  /** Id of the Cloudflare account whose Analytics Engine stores the scans. */
  ANALYTICS_ACCOUNT_ID?: string;
  /** Secret. API token of this account with the permission "Account Analytics: Read". */
  ANALYTICS_API_TOKEN?: string;
  /** Base URL of the Cloudflare API. Tests replace it with a stub. */
  ANALYTICS_API_URL?: string;
}

const DNS_RESOLVER_URL = "https://cloudflare-dns.com/dns-query";
const CLOUDFLARE_API_URL = "https://api.cloudflare.com/client/v4";

/** Returns the settings of an `env`. Parses each `env` object once per isolate. */
export const getSettings: (env: Vars) => Settings = memoizeByObject(parseSettings);

/** Parses vars and secrets. Throws a `TypeError` if one of the URLs is invalid. */
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
    abuseContact: parseContact(vars.ABUSE_CONTACT ?? ""),
    watchesDestinations: (vars.WATCH_DESTINATIONS || String(vars.ALLOW_LOOPBACK !== "true")) === "true",
    dnsResolverUrl: vars.DNS_RESOLVER_URL || DNS_RESOLVER_URL,
    identityProvider: parseIdentityProvider(vars),
    analyticsSql: parseSqlApi(vars),
  };
}

/** Returns the URI of an email address or https URL. Throws a `TypeError` for any other text. */
export function parseContact(contact: string): string | null {
  if (contact === "") return null;
  if (/^[^\s@:/?#]+@[^\s@:/?#]+$/.test(contact)) return `mailto:${encodeURI(contact)}`;
  const url = new URL(contact);
  if (!["https:", "mailto:"].includes(url.protocol)) {
    throw new TypeError("ABUSE_CONTACT must be an email address or an https URL");
  }
  return url.href;
}

function parseIdentityProvider({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  OIDC_CLIENT_SECRET: clientSecret,
  OIDC_TRUST_EMAIL: domains = "",
}: Vars): IdentityProvider | null {
  if (!issuer || !clientId) return null;
  const trustedEmailDomains = domains.split(",").map((domain) => domain.trim().toLowerCase());
  return {
    issuer,
    clientId,
    clientSecret: clientSecret || null,
    trustedEmailDomains: trustedEmailDomains.filter(Boolean),
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
