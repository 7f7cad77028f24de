import { isWithinDomain, normalizeHostname } from "../core/hosts.ts";
import { parseDateTime } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { normalizeEmail } from "../members/email.ts";
import { ALL_SCOPES, SCOPES } from "../permissions/scopes.ts";
import { getShortLabel, isDisguised, isWorkspaceSlug } from "../tenant/own-hosts.ts";
import { CommandError } from "./command-error.ts";

/** Parsers for arguments and options. They return the value or throw {@link CommandError}. */

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
/**
 * Matches lower-case DNS names. Excludes names whose last label is a number: these are IPv4 addresses
 * (WHATWG URL Standard).
 */
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`);
const PORT_MAX = 65_535;

/** Parses a port, which must be in decimal digits. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > PORT_MAX) throw new CommandError(`--port: must be 1 to ${PORT_MAX}`);
  return port;
}

/** Parses a shard number. */
export function parseShard(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new CommandError("--shard: must be the number of a shard, such as 0");
  return Number(text);
}

/** Parses a workspace's slug, which becomes part of its hostname. */
export function parseSlug(text: string): string {
  if (isWorkspaceSlug(text)) return text;
  throw new CommandError(
    "--slug: must have 1 to 63 lower-case letters, digits and hyphens, and must not start or end with a hyphen or start with xn--",
  );
}

/** Parses text with `min` to `max` characters. */
export function parseText(option: string, text: string, min: number, max: number): string {
  if (text.length >= min && text.length <= max) return text;
  throw new CommandError(`--${option}: must have ${min} to ${max} characters`);
}

/** Parses the hostname of a domain. Removes the port, because the deployment's settings determine it. */
export function parseHostname(text: string, settings: Settings): string {
  const hostname = parseDnsName(text.replace(/:\d+$/, ""), text);
  if ([settings.bioHost, settings.cdnHost, settings.appHost].includes(hostname)) {
    throw new CommandError(`${text}: is already used for bio pages, files or the app`);
  }
  if (isDisguised(getShortLabel(settings, hostname) ?? "")) {
    throw new CommandError(`${text}: must not start with xn-- below ${settings.shortHost}`);
  }
  return hostname;
}

/** Parses a DNS name, such as the domain of email addresses. Errors show `given`. */
export function parseDnsName(text: string, given = text): string {
  const name = normalizeHostname(text);
  const isName = DNS_NAME.test(name) && URL.canParse(`http://${name}`);
  if (isName && new URL(`http://${name}`).hostname === name) return name;
  throw new CommandError(`${given}: not a DNS name`);
}

/**
 * Parses a name that workspaces can use: a host, `/` and the slug of a bio page, or the URL of either. A single
 * label is a host below `SHORT_DOMAIN`, unless it is `SHORT_DOMAIN` itself.
 */
export function parseHeldName(text: string, settings: Settings): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const path = url === null ? text : normalizeHostname(url.hostname) === settings.bioHost && url.pathname;
  if (path && /^\/[a-z0-9-]+\/?$/i.test(path)) return path.replace(/\/$/, "").toLowerCase();
  const host = url?.hostname ?? text;
  const isHost = host.includes(".") || host === settings.shortHost;
  return parseHostname(isHost ? host : `${host}.${settings.shortHost}`, settings);
}

/**
 * Parses the host of destinations to block, or a URL on it. A single label would block a whole top-level domain, and
 * the hosts of the deployment are needed by its own pages.
 */
export function parseBlockedHost(text: string, settings: Settings): string {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const hostname = URL.canParse(address) ? normalizeHostname(new URL(address).hostname) : "";
  if (!/[.:]/.test(hostname)) throw new CommandError(`${text}: not a host or URL`);
  const { apiHost, appHost, bioHost, cdnHost, shortHost } = settings;
  if ([apiHost, appHost, bioHost, cdnHost, shortHost].some((own) => isWithinDomain(own, hostname))) {
    throw new CommandError(`${text}: includes hosts of this service`);
  }
  return hostname;
}

/** Parses comma-separated scopes. Removes duplicates. */
export function parseScopes(text: string): string[] {
  const scopes = text.split(",").map((scope) => scope.trim());
  const known: readonly string[] = [ALL_SCOPES, ...SCOPES];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown === undefined) return [...new Set(scopes)];
  throw new CommandError(`${unknown || "(empty)"}: unknown scope; scopes are ${known.join(", ")}`);
}

/** Parses a date-time as the API does. Returns Unix milliseconds. */
export function parseTime(option: string, text: string): number {
  const timeMs = parseDateTime(text);
  if (timeMs !== null) return timeMs;
  throw new CommandError(`--${option}: must be an ISO 8601 date-time with an offset or Z`);
}

/** Parses a key's prefix. Also accepts a whole key. */
export function parseKeyPrefix(text: string): string {
  const [prefix = ""] = text.replace(/^svc_pk_/, "").split(".");
  if (/^[A-Za-z0-9]{8}$/.test(prefix)) return prefix;
  throw new CommandError(`${text}: not a key prefix of 8 characters`);
}

/** Parses an email address and converts it to lower case, so that each address has only one spelling. */
export function parseEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email !== null) return email;
  throw new CommandError(`${text}: not an email address`);
}
