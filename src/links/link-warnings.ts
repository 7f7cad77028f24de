import { isShortName } from "../tenant/own-hosts.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkFilter } from "./links.schema.ts";
import type { Link } from "./links.table.ts";

/** Returns warnings about times and URLs of a link that never take effect. */
export function listLinkWarnings({ startsAt, expiresAt, earlyUrl }: Link): string[] {
  const warnings: string[] = [];
  if (startsAt !== null && expiresAt !== null && expiresAt <= startsAt) {
    warnings.push("starts_at: the link expires before it starts, so it never redirects to its destination.");
  }
  if (earlyUrl !== null && startsAt === null) {
    warnings.push("early_url: has no effect without starts_at.");
  }
  return warnings;
}

/** Returns warnings about filters that probably find fewer links than intended. */
export function listFilterWarnings({ settings, workspace }: Tenant, { domain }: LinkFilter): string[] {
  const warnings: string[] = [];
  if (domain !== undefined && (isShortName(settings, domain) || workspace.hostnames.includes(domain))) {
    warnings.push(
      "domain: filters by destination host. It cannot filter by short domain, because every domain of the workspace serves all its links.",
    );
  }
  return warnings;
}
