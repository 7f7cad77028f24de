import { createValidationError, type FieldProblem } from "../core/error.ts";
import type { RoutingRule } from "../routing/rules.ts";
import { findRefusedHosts, type RefusedHosts, rejectBlockedUrls } from "../safety/blocked-hosts.ts";
import { getHostOnOwnPort, isClickUrl, isShortHost } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkInput } from "./link-input.ts";

type Destinations = Pick<LinkInput, "url" | "destination" | "routing_rules" | "early_url" | "expired_url">;

const SHORT_URL_MESSAGE = "must not be a short URL of this service, because it could cause a redirect loop";
const CLICK_URL_MESSAGE = "must not be a click URL of a bio page, because it could cause a redirect loop";

/**
 * Throws `VALIDATION_ERROR` if a destination is on one of the deployment's short hosts or is a click URL of a
 * bio page. A click URL redirects to the URL of an entry on the bio page, and that URL may be this short
 * link.
 */
export function rejectRedirectingDestinations({ settings }: Tenant, input: Destinations): void {
  rejectWhere(input, (url) => {
    if (isShortHost(settings, url)) return SHORT_URL_MESSAGE;
    return isClickUrl(settings, url) ? CLICK_URL_MESSAGE : null;
  });
}

/**
 * Throws `VALIDATION_ERROR` if a destination is on a host that a workspace added or an administrator blocked.
 * Triggers on `links` reject such hosts. Called after a failed statement to find out whether a host was the reason,
 * and in which field.
 */
export async function rejectRefusedHosts(tenant: Tenant, input: Destinations): Promise<void> {
  rejectHosts(tenant, input, await findRefusedDestinations(tenant, [input]));
}

/** Returns the hosts to which the inputs can't redirect. Runs one statement for all inputs. */
export function findRefusedDestinations(
  { db, settings }: Tenant,
  inputs: readonly Destinations[],
): Promise<RefusedHosts> {
  const urls = inputs.flatMap(listUrls).flatMap(([, address]) => (address == null ? [] : [new URL(address)]));
  return findRefusedHosts(db, settings, urls);
}

/** Throws `VALIDATION_ERROR` if a destination is on one of the hosts. */
export function rejectHosts({ settings }: Tenant, input: Destinations, { own, blocked }: RefusedHosts): void {
  rejectWhere(input, (address) => (own.has(getHostOnOwnPort(settings, address)) ? SHORT_URL_MESSAGE : null));
  const fields = listUrls(input).flatMap(([field, address]) =>
    address == null ? [] : [{ field, url: new URL(address) }],
  );
  rejectBlockedUrls(blocked, fields);
}

/**
 * Throws `VALIDATION_ERROR` with all messages returned by `findProblem`, which returns null for valid URLs.
 */
function rejectWhere(input: Destinations, findProblem: (address: URL) => string | null): void {
  const problems = listUrls(input).flatMap(([field, address]): FieldProblem[] => {
    const message = address == null ? null : findProblem(new URL(address));
    return message === null ? [] : [{ field, message }];
  });
  const [first, ...others] = problems;
  if (first !== undefined) throw createValidationError(first, ...others);
}

/** Lists all fields that contain a URL, each with its value. */
function listUrls({ url, destination, routing_rules = [], early_url, expired_url }: Destinations) {
  return [
    ["url", url],
    ["destination", destination],
    ...routing_rules.flatMap((rule, index) => listRuleUrls(rule, `routing_rules[${index}]`)),
    ["early_url", early_url],
    ["expired_url", expired_url],
  ] as const;
}

function listRuleUrls({ destination, split = [] }: RoutingRule, path: string) {
  return [
    [`${path}.destination`, destination] as const,
    ...split.map((share, index) => [`${path}.split[${index}].destination`, share.destination] as const),
  ];
}
