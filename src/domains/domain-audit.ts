import { type SQL, sql } from "drizzle-orm";
import { defineResource, type OtherFields, shownAs } from "../audit/describe-changes.ts";
import { selectPrimary } from "../tenant/host-ownership.ts";
import { domains } from "../tenant/workspaces.directory.table.ts";
import { domainClaims as claims } from "./claims.directory.table.ts";

/** Fields of a domain in the audit log. */
export const auditedDomain = defineResource("domain", claims, {
  hostname: "hostname",
  root_url: shownAs("large", "rootUrl"),
  not_found_url: shownAs("large", "notFoundUrl"),
  expired_url: shownAs("large", "expiredUrl"),
  apple_app_site_association: shownAs("json", "appleAppSiteAssociation"),
  assetlinks: shownAs("json", "assetlinks"),
});

const PENDING = sql`'pending'`;
const ACTIVE = sql`'active'`;

/** Returns the SQL expression for the number of a claimed host, or null if it isn't active. */
function selectNumber(): SQL {
  return sql`(select d.number from ${domains} d where d.hostname = ${claims.hostname}
                                                and d.workspace_id = ${claims.workspaceId})`;
}

/** Status before and after a domain becomes active. */
export function buildActiveChange(): OtherFields {
  return { status: [sql`iif(${selectNumber()} is null, ${PENDING}, ${ACTIVE})`, ACTIVE] };
}

/** Values of `is_primary` before and after a domain is made primary. Only active domains can be. */
export function buildPrimaryChange(workspaceId: string): OtherFields {
  const show = (condition: SQL) => sql`json(iif(${condition}, 'true', 'false'))`;
  const number = selectNumber();
  return {
    is_primary: [show(sql`${number} is ${selectPrimary(workspaceId)}`), show(sql`${number} is not null`)],
  };
}

/** Status of a newly claimed domain. */
export const CLAIMED: OtherFields = { status: [sql`null`, PENDING] };
