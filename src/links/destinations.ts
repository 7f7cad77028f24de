import { createValidationError, type FieldFault } from "../core/error.ts";
import { findOwnDomains } from "../tenant/domains.ts";
import { hostOnOwnPort, isOwnHost } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { type LinkInput, toColumns } from "./link-input.ts";

type Destinations = Pick<LinkInput, "url" | "routing_rules">;

/** Throws `VALIDATION_ERROR` if a destination is a configured host of this deployment: redirects to it could loop. */
export function rejectOwnHosts({ settings }: Tenant, input: Destinations): void {
  rejectWhere(input, (url) => isOwnHost(settings, url));
}

/**
 * Throws `VALIDATION_ERROR` if a destination is a host that a workspace added. Triggers on `links` reject such hosts;
 * after a failed statement this check finds out whether a host was the reason, and which field holds it.
 */
export async function rejectOwnDomains({ db, settings }: Tenant, input: Destinations): Promise<void> {
  const { url, routing_rules } = input;
  const { destinationHost = "", ruleHosts = [] } = toColumns(settings, { url, routing_rules });
  const ownDomains = await findOwnDomains(db, [destinationHost, ...ruleHosts]);
  rejectWhere(input, (destination) => ownDomains.has(hostOnOwnPort(settings, destination)));
}

function rejectWhere({ url, routing_rules = [] }: Destinations, isOwn: (url: URL) => boolean): void {
  const destinations = [
    ...(url === undefined ? [] : [{ field: "url", url }]),
    ...routing_rules.map((rule, index) => ({
      field: `routing_rules[${index}].destination`,
      url: rule.destination,
    })),
  ];
  const faults = destinations
    .filter((destination) => isOwn(new URL(destination.url)))
    .map(({ field }): FieldFault => ({ field, message: "must not be an address of this service" }));
  const [first, ...others] = faults;
  if (first !== undefined) throw createValidationError(first, ...others);
}
