import { ALL_SCOPES, SCOPES } from "../auth/key.ts";
import { normalizeHostname } from "../core/hosts.ts";
import { parseDateTime } from "../core/time.ts";
import type { Settings } from "../env.ts";
import { PLAN_NAMES, type PlanName } from "../tenant/plans.ts";
import { CommandError } from "./command.ts";

/** What the words and options of a command may say. Each answers with the value, or throws {@link CommandError}. */

const LABEL = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const SLUG = new RegExp(`^${LABEL}$`);
/** A last label of digits alone makes an IP address. */
const DNS_NAME = new RegExp(`^(?=.{1,253}$)(?:${LABEL}\\.)*(?!\\d+$)${LABEL}$`);
const PORT_MAX = 65_535;

/** A port as decimal digits. */
export function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > PORT_MAX) throw new CommandError(`--port: must be 1 to ${PORT_MAX}`);
  return port;
}

/** A workspace's slug, which is a label of its host name. */
export function parseSlug(text: string): string {
  if (SLUG.test(text)) return text;
  throw new CommandError("--slug: must have 1 to 63 lower-case letters, digits and inner hyphens");
}

/** Text that a person reads, of a bounded number of characters. */
export function parseText(option: string, text: string, min: number, max: number): string {
  if (text.length >= min && text.length <= max) return text;
  throw new CommandError(`--${option}: must have ${min} to ${max} characters`);
}

/** A plan's name. */
export function parsePlan(text: string): PlanName {
  const plan = PLAN_NAMES.find((name) => name === text);
  if (plan !== undefined) return plan;
  throw new CommandError(`${text}: no plan; there are ${PLAN_NAMES.join(", ")}`);
}

/** A DNS name that can be a short host, without the port, which belongs to the deployment and not to the workspace. */
export function parseHostname(text: string, settings: Settings): string {
  const hostname = normalizeHostname(text.replace(/:\d+$/, ""));
  const isName = DNS_NAME.test(hostname) && URL.canParse(`http://${hostname}`);
  if (!isName || new URL(`http://${hostname}`).hostname !== hostname) {
    throw new CommandError(`${text}: not a DNS name`);
  }
  if (hostname === settings.bioHost || hostname === settings.cdnHost) {
    throw new CommandError(`${text}: serves bio pages or files already`);
  }
  return hostname;
}

/** Scopes between commas, each once. */
export function parseScopes(text: string): string[] {
  const scopes = text.split(",").map((scope) => scope.trim());
  const known: readonly string[] = [ALL_SCOPES, ...SCOPES];
  const unknown = scopes.find((scope) => !known.includes(scope));
  if (unknown === undefined) return [...new Set(scopes)];
  throw new CommandError(`${unknown || "(empty)"}: no scope; there are ${known.join(", ")}`);
}

/** A moment in milliseconds, by the rule of the API. */
export function parseMoment(option: string, text: string): number {
  const timeMs = parseDateTime(text);
  if (timeMs !== null) return timeMs;
  throw new CommandError(`--${option}: must be an ISO 8601 date-time with an offset or Z`);
}

/** The prefix of a key, which may also be named as it begins in full. */
export function parseKeyPrefix(text: string): string {
  const [prefix = ""] = text.replace(/^svc_pk_/, "").split(".");
  if (/^[A-Za-z0-9]{8}$/.test(prefix)) return prefix;
  throw new CommandError(`${text}: not the 8 characters of a key's prefix`);
}

/** An e-mail address in lower case: whoever types it otherwise means the same member. */
export function parseEmail(text: string): string {
  if (/^[^@\s]+@[^@\s]+$/.test(text)) return text.toLowerCase();
  throw new CommandError(`${text}: not an e-mail address`);
}
