import { normalizeHostname } from "../core/hosts.ts";
import { parseDateTime } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { normalizeEmail } from "../members/email.ts";
import { ALL_SCOPES, SCOPES } from "../permissions/scopes.ts";
import { CommandError } from "./command-error.ts";

/** Parsers of arguments and options. They return the value or throw {@link CommandError}. */

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const SLUG = new RegExp(`^${LABEL}$`);
/** DNS name in lower case. A host whose last label is a number is an IPv4 address (WHATWG URL Standard). */
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`);
const PORT_MAX = 65_535;

/** Parses a port of decimal digits. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > PORT_MAX) throw new CommandError(`--port: must be 1 to ${PORT_MAX}`);
  return port;
}

/** Parses the number of a shard. */
export function parseShard(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new CommandError("--shard: must be the number of a shard, such as 0");
  return Number(text);
}

/** Parses the slug of a workspace, which becomes a label of its host name. */
export function parseSlug(text: string): string {
  if (SLUG.test(text)) return text;
  throw new CommandError(
    "--slug: must have 1 to 63 lower-case letters, digits and hyphens, and must not start or end with a hyphen",
  );
}

/** Parses text of `min` to `max` characters. */
export function parseText(option: string, text: string, min: number, max: number): string {
  if (text.length >= min && text.length <= max) return text;
  throw new CommandError(`--${option}: must have ${min} to ${max} characters`);
}

/** Parses the DNS name of a short host. Removes a port, which is part of the deployment's settings. */
export function parseHostname(text: string, settings: Settings): string {
  const hostname = normalizeHostname(text.replace(/:\d+$/, ""));
  const isName = DNS_NAME.test(hostname) && URL.canParse(`http://${hostname}`);
  if (!isName || new URL(`http://${hostname}`).hostname !== hostname) {
    throw new CommandError(`${text}: not a DNS name`);
  }
  if ([settings.bioHost, settings.cdnHost, settings.appHost].includes(hostname)) {
    throw new CommandError(`${text}: is already used for bio pages, files or the app`);
  }
  return hostname;
}

/** Parses scopes separated by commas, and removes duplicates. */
export function parseScopes(text: string): string[] {
  const scopes = text.split(",").map((scope) => scope.trim());
  const known: readonly string[] = [ALL_SCOPES, ...SCOPES];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown === undefined) return [...new Set(scopes)];
  throw new CommandError(`${unknown || "(empty)"}: unknown scope; scopes are ${known.join(", ")}`);
}

/** Parses a date-time, as the API does, to Unix time in milliseconds. */
export function parseTime(option: string, text: string): number {
  const timeMs = parseDateTime(text);
  if (timeMs !== null) return timeMs;
  throw new CommandError(`--${option}: must be an ISO 8601 date-time with an offset or Z`);
}

/** Parses the prefix of a key. Accepts a whole key too. */
export function parseKeyPrefix(text: string): string {
  const [prefix = ""] = text.replace(/^svc_pk_/, "").split(".");
  if (/^[A-Za-z0-9]{8}$/.test(prefix)) return prefix;
  throw new CommandError(`${text}: not a key prefix of 8 characters`);
}

/** Parses an e-mail address and lower-cases it, so that a member has one address only. */
export function parseEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email !== null) return email;
  throw new CommandError(`${text}: not an email address`);
}
