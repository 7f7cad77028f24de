import { directoryAuditLog } from "../audit/audit.directory.table.ts";
import { bioSlugs } from "../bio/slugs.directory.table.ts";
import { domainClaims } from "../domains/claims.directory.table.ts";
import { apiKeys } from "../keys/keys.directory.table.ts";
import { members } from "../members/members.directory.table.ts";
import { describeTable, type MovedTable } from "../moves/moved-tables.ts";
import { invitations } from "../people/invitations.directory.table.ts";
import { reports } from "../reports/reports.directory.table.ts";
import { scimGroupMembers, scimGroups, scimTokens } from "../scim/scim.directory.table.ts";
import { heldNames } from "../tenant/held-names.directory.table.ts";
import { domains, workspaces } from "../tenant/workspaces.directory.table.ts";

/** Tables of the directory with rows of a workspace. The tables of its shard are in `moves/moved-tables.ts`. */

/**
 * Table of the workspace itself, without what each installation chooses: the number, the shard, and the number of the
 * primary domain.
 */
export const WORKSPACE_TABLE = describeTable(workspaces, "tenant", ["number", "shard", "primary_domain"]);

/**
 * Tables that travel before the workspace can be used, in the order of the import. A trigger deletes invitations when
 * a SCIM token is added, and rejects members of groups that don't exist. Another trigger adds a claim for each domain
 * without one.
 */
export const HIDDEN_TABLES: readonly MovedTable[] = [
  describeTable(directoryAuditLog, "workspace"),
  describeTable(heldNames, "workspace"),
  describeTable(members, "workspace"),
  describeTable(scimTokens, "workspace"),
  describeTable(scimGroups, "workspace", ["member_count"]),
  describeTable(scimGroupMembers, "workspace"),
  describeTable(invitations, "workspace"),
  describeTable(reports, "workspace"),
  describeTable(domainClaims, "workspace"),
];

/** Tables that make the workspace's keys, bio pages and links work. Their rows are written in one transaction. */
export const OPENING_TABLES: readonly MovedTable[] = [
  describeTable(apiKeys, "workspace"),
  describeTable(bioSlugs, "workspace"),
  describeTable(domains, "workspace", ["number"]),
];

/** All tables of the directory that travel, in the order of the archive. */
export const DIRECTORY_TABLES = [WORKSPACE_TABLE, ...HIDDEN_TABLES, ...OPENING_TABLES];

/**
 * Tables of the directory that don't travel: they belong to the installation or to people's devices, describe something
 * in progress, or are kept by triggers.
 */
export const LEFT_TABLES: readonly string[] = [
  "blocked_hosts",
  "dead_letters",
  "host_changes",
  "passkeys",
  "people_totals",
  "request_counts",
  "sessions",
  "sign_in_links",
  "sweep_runs",
  "unsettled_hosts",
  "workspace_moves",
];
