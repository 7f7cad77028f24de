import { type SQL, sql } from "drizzle-orm";
import { defineResource, type OtherFields, shownAs } from "../audit/describe-changes.ts";
import { selectPrimary } from "../tenant/host-ownership.ts";
import { domains } from "../tenant/workspaces.directory.table.ts";
import { domainClaims as claims } from "./claims.directory.table.ts";

/** Domains as the log of changes has them. */
export const auditedDomain = defineResource("domain", claims, {
  hostname: "hostname",
  root_url: "rootUrl",
  not_found_url: "notFoundUrl",
  expired_url: "expiredUrl",
  apple_app_site_association: shownAs("large", "appleAppSiteAssociation"),
  assetlinks: shownAs("large", "assetlinks"),
});

const PENDING = sql`'pending'`;
const ACTIVE = sql`'active'`;

/** Returns the SQL expression for the number of a claimed host, null unless it is active. */
function selectNumber(): SQL {
  return sql`(select d.number from ${domains} d where d.hostname = ${claims.hostname}
                                                and d.workspace_id = ${claims.workspaceId})`;
}

/** Status of a domain that becomes active. */
export function becomesActive(): OtherFields {
  return { status: [sql`iif(${selectNumber()} is null, ${PENDING}, ${ACTIVE})`, ACTIVE] };
}

/** True for the domain in short URLs, which an active one becomes. */
export function becomesPrimary(workspaceId: string): OtherFields {
  const show = (condition: SQL) => sql`json(iif(${condition}, 'true', 'false'))`;
  const number = selectNumber();
  return {
    is_primary: [show(sql`${number} is ${selectPrimary(workspaceId)}`), show(sql`${number} is not null`)],
  };
}

/** State of a domain that has just been claimed. */
export const CLAIMED: OtherFields = { status: [sql`null`, PENDING] };
