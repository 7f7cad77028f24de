import { type Mutant, mutate } from "../by-hand.ts";

/** Lists mutants that compare a column of the workspace with itself. Each text has one comparison `eq(column, value)`. */
function ignoreWorkspace(file: string, tests: string | readonly string[], ...searches: string[]): Mutant[] {
  const changes = searches.map(
    (search) => [search, search.replace(/eq\(([\w.]+), [\w.]+\)/, "eq($1, $1)")] as const,
  );
  return mutate(file, tests, ...changes);
}

/**
 * Conditions by workspace, each replaced by one that every row meets. Two workspaces of one test share a shard, so that
 * only these conditions keep their rows apart.
 */
export const mutants: Mutant[] = [
  ...ignoreWorkspace(
    "src/analytics/deleted-series.ts",
    "worker/erasure",
    "eq(deletedSeries.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/assets/assets.ts",
    ["worker/tenancy", "worker/assets"],
    "eq(assets.workspaceId, workspace.id)",
    "eq(assets.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/assets/removal.ts",
    ["worker/tenancy", "worker/assets"],
    "eq(assets.workspaceId, workspace.id)",
  ),
  ...ignoreWorkspace(
    "src/assets/sweep.ts",
    ["worker/erasure", "worker/assets"],
    "eq(assets.workspaceId, workspaceId)",
    "eq(deletedAssets.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/audit/directory-log.ts",
    ["worker/audit", "worker/erasure"],
    "eq(log.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace("src/audit/find-entries.ts", "worker/audit", "eq(log.workspaceId, workspaceId)"),
  ...ignoreWorkspace(
    "src/audit/shard-log.ts",
    ["worker/audit", "worker/erasure"],
    "eq(auditLog.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace("src/audit/shard-log.ts", "worker/write-budget", "eq(auditLog.workspaceId, id)"),
  ...ignoreWorkspace(
    "src/keys/erase-keys.ts",
    ["worker/erasure", "worker/people-operations"],
    "eq(apiKeys.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/keys/keys.ts",
    ["worker/people-operations", "worker/people-audit", "worker/auth"],
    "eq(apiKeys.workspaceId, workspace.id))",
    "isFormer = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));",
    "byId = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));",
    "  eq(apiKeys.workspaceId, workspaceId),",
  ),
  ...ignoreWorkspace(
    "src/bio/bio.ts",
    ["worker/tenancy", "worker/bio"],
    "eq(bioPages.workspaceId, workspace.id)",
    "eq(bioPages.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/bio/page-removal.ts",
    ["worker/erasure", "worker/bio"],
    "eq(bioPages.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/bio/slug-claims.ts",
    ["worker/erasure", "worker/bio"],
    "eq(bioSlugs.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/domains/activate-domain.ts",
    ["worker/domains", "worker/tenancy", "worker/erasure"],
    "eq(domains.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/domains/workspace-domains.ts",
    ["worker/domains", "worker/tenancy", "worker/erasure"],
    "where(eq(claims.workspaceId, workspace.id))",
    "eq(claims.workspaceId, workspaceId), eq",
    "eq(claims.workspaceId, workspaceId))",
    "eq(domains.workspaceId, claims.workspaceId)",
    "eq(claims.workspaceId, workspaceId), cond",
  ),
  ...ignoreWorkspace(
    "src/http/idempotency-keys.ts",
    ["worker/idempotency", "worker/erasure"],
    "eq(table.workspaceId, workspaceId), eq",
    " eq(table.workspaceId, workspaceId),",
  ),
  ...ignoreWorkspace(
    "src/links/link-candidates.ts",
    "worker/link-lists",
    "eq(linkLabels.workspaceId, tenant.workspace.id)",
    "eq(links.workspaceId, tenant.workspace.id), inRange",
  ),
  ...ignoreWorkspace(
    "src/links/link-candidates.ts",
    "worker/link-list-costs",
    "eq(linkLabels.workspaceId, workspace.id)",
  ),
  ...mutate("src/links/link-candidates.ts", "worker/link-list-costs", [
    "workspace_id = ${workspace.id} and code_key in",
    "code_key in",
  ]),
  ...ignoreWorkspace(
    "src/links/link-list.ts",
    ["worker/tenancy", "worker/link-lists"],
    "eq(links.workspaceId, workspace.id), byArchived",
    "eq(links.workspaceId, workspace.id), olderThan",
  ),
  ...ignoreWorkspace(
    "src/links/link-ranking.ts",
    "worker/link-lists",
    "eq(links.workspaceId, tenant.workspace.id)",
  ),
  ...ignoreWorkspace(
    "src/links/link-writes.ts",
    ["worker/links", "worker/bulk", "worker/tenancy", "worker/erasure"],
    "eq(links.workspaceId, workspaceId), eq",
    "eq(links.workspaceId, workspaceId), isNotNull",
    "eq(links.workspaceId, workspaceId))",
  ),
  ...ignoreWorkspace(
    "src/links/links.ts",
    ["worker/links", "worker/audit", "worker/tenancy", "worker/link-lists"],
    "eq(links.workspaceId, tenant.workspace.id)",
  ),
  ...ignoreWorkspace(
    "src/scim/erase-scim.ts",
    ["worker/erasure", "worker/people-operations"],
    "eq(scimGroupMembers.workspaceId, workspaceId)",
    "eq(scimTokens.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/members/members.ts",
    ["worker/workspace", "worker/people-operations", "worker/erasure"],
    "eq(members.workspaceId, workspace.id)",
    "eq(members.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/people/manage-members.ts",
    "worker/invitations",
    "const byId = and(eq(members.workspaceId, workspace.id)",
  ),
  ...mutate("src/people/manage-members.ts", "worker/invitations", [
    "other.workspace_id = ${workspaceId}",
    "true",
  ]),
  ...ignoreWorkspace(
    "src/people/invitations.ts",
    "worker/invitations",
    "eq(scimTokens.workspaceId, workspaceId)",
    "...[eq(members.workspaceId, workspace.id), eq(members.id, memberId)",
  ),
  ...mutate(
    "src/people/accept-invitation.ts",
    "worker/invitations",
    ["where other.workspace_id = ${workspaceId}", "where true"],
    ["and other.person = ${person}", ""],
    ["getProvedEmail(person) ?? email", "email"],
  ),
  ...mutate("src/reports/report-links.ts", "worker/reports", [
    "sql`${eq(links.workspaceId, workspaceId)} and ${ids}`",
    "ids",
  ]),
  ...ignoreWorkspace(
    "src/reports/reports.ts",
    ["worker/tenancy", "worker/reports"],
    "and(eq(reports.workspaceId, workspaceId), eq(reports.id, id))",
  ),
  ...mutate(
    "src/reports/reports.ts",
    ["worker/tenancy", "worker/reports"],
    [".where(and(isHere, olderThan(reports.id, before)))", ".where(olderThan(reports.id, before))"],
  ),
  ...ignoreWorkspace(
    "src/scim/groups.ts",
    "worker/scim",
    "eq(scimGroups.workspaceId, workspace.id);",
    "eq(peopleTotals.workspaceId, workspace.id)",
  ),
  ...ignoreWorkspace("src/scim/logged-people.ts", "worker/scim", "eq(scimGroups.workspaceId, workspaceId)"),
  ...ignoreWorkspace(
    "src/scim/users.ts",
    "worker/scim",
    "eq(members.workspaceId, workspace.id);",
    "eq(peopleTotals.workspaceId, workspace.id)",
    "eq(members.workspaceId, workspace.id), eq(members.id, id)))",
  ),
  ...ignoreWorkspace(
    "src/members/sign-in-links.ts",
    ["worker/people", "worker/people-operations", "worker/erasure"],
    "eq(members.workspaceId, signInLinks.workspaceId)",
    "eq(signInLinks.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/qr/templates.ts",
    ["worker/qr-templates", "worker/tenancy", "worker/erasure"],
    "eq(templates.workspaceId, workspace.id)",
    "eq(templates.workspaceId, workspaceId))",
    "eq(templates.workspaceId, workspaceId),",
  ),
  ...ignoreWorkspace(
    "src/tenant/host-ownership.ts",
    ["worker/domains", "worker/erasure", "worker/tenancy"],
    "and(eq(domains.workspaceId, workspaceId)",
    "owned = eq(domains.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/tenant/usage.ts",
    ["worker/workspace", "worker/tenancy"],
    "eq(usageCounters.workspaceId, workspace.id)",
  ),
  ...ignoreWorkspace(
    "src/trash/trash.ts",
    ["worker/trash", "worker/erasure"],
    "eq(trash.workspaceId, workspace.id)",
    "eq(trash.workspaceId, workspaceId)",
    "eq(tenants.id, workspace.id)",
  ),
  ...mutate(
    "src/trash/trash.ts",
    ["worker/trash", "worker/erasure"],
    ["${tenants.id} = ${workspace.id}", "${tenants.id} = ${tenants.id}"],
  ),
  ...ignoreWorkspace(
    "src/webhooks/backlog.ts",
    "worker/webhook-edges",
    "eq(deliveryBacklogs.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/webhooks/endpoints.ts",
    ["worker/webhooks", "worker/webhook-events", "worker/webhook-deliveries", "worker/tenancy"],
    "eq(webhooks.workspaceId, workspace.id)",
    "eq(webhooks.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/webhooks/erase-endpoints.ts",
    "worker/erasure",
    "eq(webhooks.workspaceId, workspaceId)",
    "eq(deliveryBacklogs.workspaceId, workspaceId)",
    "eq(webhookEvents.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/webhooks/lanes.ts",
    ["worker/webhooks", "worker/webhook-events", "worker/webhook-deliveries", "worker/tenancy"],
    "eq(webhookLanes.workspaceId, workspaceId)",
  ),
  ...ignoreWorkspace(
    "src/workspace/usage-report.ts",
    ["worker/workspace", "worker/limits"],
    "eq(usageCounters.workspaceId, workspace.id)",
  ),
];
