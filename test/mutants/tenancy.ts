import { type Mutant, mutate } from "./tool/mutant.ts";

/**
 * Conditions by workspace, each replaced by one that every row meets. Two workspaces of one test share a shard, so that
 * only these conditions keep their rows apart.
 */
export const mutants: Mutant[] = [
  ...mutate("src/analytics/deleted-series.ts", "test/worker/erasure.test.ts", [
    "eq(deletedSeries.workspaceId, workspaceId)",
    "eq(deletedSeries.workspaceId, deletedSeries.workspaceId)",
  ]),
  ...mutate(
    "src/assets/assets.ts",
    ["test/worker/tenancy.test.ts", "test/worker/assets.test.ts"],
    ["eq(assets.workspaceId, workspace.id)", "eq(assets.workspaceId, assets.workspaceId)"],
    ["eq(assets.workspaceId, workspaceId)", "eq(assets.workspaceId, assets.workspaceId)"],
  ),
  ...mutate(
    "src/assets/removal.ts",
    ["test/worker/tenancy.test.ts", "test/worker/assets.test.ts"],
    ["eq(assets.workspaceId, workspace.id)", "eq(assets.workspaceId, assets.workspaceId)"],
  ),
  ...mutate(
    "src/assets/sweep.ts",
    ["test/worker/erasure.test.ts", "test/worker/assets.test.ts"],
    ["eq(assets.workspaceId, workspaceId)", "eq(assets.workspaceId, assets.workspaceId)"],
    [
      "eq(deletedAssets.workspaceId, workspaceId)",
      "eq(deletedAssets.workspaceId, deletedAssets.workspaceId)",
    ],
  ),
  ...mutate(
    "src/audit/directory-log.ts",
    ["test/worker/audit.test.ts", "test/worker/erasure.test.ts"],
    ["eq(log.workspaceId, workspaceId)", "eq(log.workspaceId, log.workspaceId)"],
  ),
  ...mutate("src/audit/find-entries.ts", "test/worker/audit.test.ts", [
    "eq(log.workspaceId, workspaceId)",
    "eq(log.workspaceId, log.workspaceId)",
  ]),
  ...mutate(
    "src/audit/shard-log.ts",
    ["test/worker/audit.test.ts", "test/worker/erasure.test.ts"],
    [
      "eq(auditLog.workspaceId, workspace.id)",
      "eq(auditLog.workspaceId, auditLog.workspaceId)",
      { equivalent: "the resource is of the workspace" },
    ],
    ["eq(auditLog.workspaceId, workspaceId)", "eq(auditLog.workspaceId, auditLog.workspaceId)"],
  ),
  ...mutate(
    "src/auth/erase-keys.ts",
    ["test/worker/erasure.test.ts", "test/worker/people-operations.test.ts"],
    ["eq(apiKeys.workspaceId, workspaceId)", "eq(apiKeys.workspaceId, apiKeys.workspaceId)"],
  ),
  ...mutate(
    "src/auth/keys.ts",
    ["test/worker/people-operations.test.ts", "test/worker/people-audit.test.ts", "test/worker/auth.test.ts"],
    ["eq(apiKeys.workspaceId, workspace.id))", "eq(apiKeys.workspaceId, apiKeys.workspaceId))"],
    [
      "isFormer = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));",
      "isFormer = and(eq(apiKeys.workspaceId, apiKeys.workspaceId), eq(apiKeys.id, id));",
    ],
    [
      "byId = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));",
      "byId = and(eq(apiKeys.workspaceId, apiKeys.workspaceId), eq(apiKeys.id, id));",
    ],
    [
      "eq(apiKeys.workspaceId, tenant.workspace.id)",
      "eq(apiKeys.workspaceId, apiKeys.workspaceId)",
      { equivalent: "a new id is of one workspace" },
    ],
    [
      "setWhere: eq(apiKeys.workspaceId, workspaceId),",
      "setWhere: eq(apiKeys.workspaceId, apiKeys.workspaceId),",
      { equivalent: "a new id is of one workspace" },
    ],
    ["  eq(apiKeys.workspaceId, workspaceId),", "  eq(apiKeys.workspaceId, apiKeys.workspaceId),"],
    [
      "eq(apiKeys.workspaceId, workspaceId), sql",
      "eq(apiKeys.workspaceId, apiKeys.workspaceId), sql",
      { equivalent: "the selected keys are of the workspace" },
    ],
  ),
  ...mutate(
    "src/bio/bio.ts",
    ["test/worker/tenancy.test.ts", "test/worker/bio.test.ts"],
    ["eq(bioPages.workspaceId, workspace.id)", "eq(bioPages.workspaceId, bioPages.workspaceId)"],
    ["eq(bioPages.workspaceId, workspaceId)", "eq(bioPages.workspaceId, bioPages.workspaceId)"],
  ),
  ...mutate(
    "src/bio/page-removal.ts",
    ["test/worker/erasure.test.ts", "test/worker/bio.test.ts"],
    [
      "eq(bioPages.workspaceId, workspace.id)",
      "eq(bioPages.workspaceId, bioPages.workspaceId)",
      { equivalent: "what it names was found in the workspace before" },
    ],
    ["eq(bioPages.workspaceId, workspaceId)", "eq(bioPages.workspaceId, bioPages.workspaceId)"],
  ),
  ...mutate("src/bio/published-page.ts", "test/worker/bio.test.ts", [
    "eq(bioPages.workspaceId, workspaceId)",
    "eq(bioPages.workspaceId, bioPages.workspaceId)",
    { equivalent: "the id of a page is of one workspace" },
  ]),
  ...mutate(
    "src/bio/slug-claims.ts",
    ["test/worker/erasure.test.ts", "test/worker/bio.test.ts"],
    ["eq(bioSlugs.workspaceId, workspaceId)", "eq(bioSlugs.workspaceId, bioSlugs.workspaceId)"],
  ),
  ...mutate(
    "src/domains/activate-domain.ts",
    ["test/worker/domains.test.ts", "test/worker/tenancy.test.ts", "test/worker/erasure.test.ts"],
    [
      "eq(claims.workspaceId, workspaceId)",
      "eq(claims.workspaceId, claims.workspaceId)",
      { equivalent: "the claim was found in the workspace before" },
    ],
    ["eq(domains.workspaceId, workspaceId)", "eq(domains.workspaceId, domains.workspaceId)"],
  ),
  ...mutate(
    "src/domains/claim-host.ts",
    ["test/worker/domains.test.ts", "test/worker/tenancy.test.ts", "test/worker/erasure.test.ts"],
    [
      "eq(claims.workspaceId, workspace.id));",
      "eq(claims.workspaceId, claims.workspaceId));",
      { equivalent: "a new id is of one workspace" },
    ],
    [
      "eq(claims.workspaceId, workspace.id)),",
      "eq(claims.workspaceId, claims.workspaceId)),",
      { equivalent: "a new id is of one workspace" },
    ],
  ),
  ...mutate(
    "src/domains/workspace-domains.ts",
    ["test/worker/domains.test.ts", "test/worker/tenancy.test.ts", "test/worker/erasure.test.ts"],
    ["where(eq(claims.workspaceId, workspace.id))", "where(eq(claims.workspaceId, claims.workspaceId))"],
    ["eq(claims.workspaceId, workspaceId), eq", "eq(claims.workspaceId, claims.workspaceId), eq"],
    ["eq(claims.workspaceId, workspaceId))", "eq(claims.workspaceId, claims.workspaceId))"],
    ["eq(domains.workspaceId, claims.workspaceId)", "eq(domains.workspaceId, domains.workspaceId)"],
    ["eq(claims.workspaceId, workspaceId), cond", "eq(claims.workspaceId, claims.workspaceId), cond"],
  ),
  ...mutate(
    "src/http/idempotency-keys.ts",
    ["test/worker/idempotency.test.ts", "test/worker/erasure.test.ts"],
    ["eq(table.workspaceId, workspaceId), eq", "eq(table.workspaceId, table.workspaceId), eq"],
    [" eq(table.workspaceId, workspaceId),", " eq(table.workspaceId, table.workspaceId),"],
  ),
  ...mutate("src/links/bulk.ts", "test/worker/bulk.test.ts", [
    "eq(links.workspaceId, workspace.id)",
    "eq(links.workspaceId, links.workspaceId)",
    { equivalent: "the ids derive from a request of the workspace" },
  ]),
  ...mutate(
    "src/links/link-audit.ts",
    [
      "test/worker/links.test.ts",
      "test/worker/audit.test.ts",
      "test/worker/tenancy.test.ts",
      "test/worker/link-lists.test.ts",
    ],
    [
      "eq(links.workspaceId, workspace.id)",
      "eq(links.workspaceId, links.workspaceId)",
      { equivalent: "new ids are of one workspace" },
    ],
  ),
  ...mutate(
    "src/links/link-candidates.ts",
    "test/worker/link-lists.test.ts",
    [
      "eq(links.workspaceId, tenant.workspace.id), hasCode",
      "eq(links.workspaceId, links.workspaceId), hasCode",
    ],
    ["eq(linkLabels.workspaceId, tenant.workspace.id)", "eq(linkLabels.workspaceId, linkLabels.workspaceId)"],
    [
      "eq(links.workspaceId, tenant.workspace.id), inRange",
      "eq(links.workspaceId, links.workspaceId), inRange",
    ],
    ["eq(linkLabels.workspaceId, workspace.id)", "eq(linkLabels.workspaceId, linkLabels.workspaceId)"],
  ),
  ...mutate(
    "src/links/link-list.ts",
    ["test/worker/tenancy.test.ts", "test/worker/link-lists.test.ts"],
    [
      "eq(links.workspaceId, workspace.id), isArchived",
      "eq(links.workspaceId, links.workspaceId), isArchived",
    ],
    ["eq(links.workspaceId, workspace.id), olderThan", "eq(links.workspaceId, links.workspaceId), olderThan"],
    [
      "eq(links.workspaceId, tenant.workspace.id)",
      "eq(links.workspaceId, links.workspaceId)",
      { equivalent: "the candidates are links of the workspace" },
    ],
  ),
  ...mutate(
    "src/links/link-names.ts",
    [
      "test/worker/links.test.ts",
      "test/worker/audit.test.ts",
      "test/worker/tenancy.test.ts",
      "test/worker/link-lists.test.ts",
    ],
    [
      "eq(links.workspaceId, workspace.id)",
      "eq(links.workspaceId, links.workspaceId)",
      { equivalent: "the ids are from counts of the workspace" },
    ],
  ),
  ...mutate("src/links/link-ranking.ts", "test/worker/link-lists.test.ts", [
    "eq(links.workspaceId, tenant.workspace.id)",
    "eq(links.workspaceId, links.workspaceId)",
  ]),
  ...mutate(
    "src/links/link-writes.ts",
    [
      "test/worker/links.test.ts",
      "test/worker/bulk.test.ts",
      "test/worker/tenancy.test.ts",
      "test/worker/erasure.test.ts",
    ],
    ["eq(links.workspaceId, workspaceId), eq", "eq(links.workspaceId, links.workspaceId), eq"],
    [
      "eq(links.workspaceId, workspace.id)",
      "eq(links.workspaceId, links.workspaceId)",
      { equivalent: "it tells reasons only, of rows that were not free in the workspace" },
    ],
    ["eq(links.workspaceId, workspaceId), isNotNull", "eq(links.workspaceId, links.workspaceId), isNotNull"],
    ["eq(links.workspaceId, workspaceId))", "eq(links.workspaceId, links.workspaceId))"],
    [
      "eq(links.workspaceId, workspaceId), inJson",
      "eq(links.workspaceId, links.workspaceId), inJson",
      { equivalent: "the ids are of links of the workspace" },
    ],
  ),
  ...mutate(
    "src/links/links.ts",
    [
      "test/worker/links.test.ts",
      "test/worker/audit.test.ts",
      "test/worker/tenancy.test.ts",
      "test/worker/link-lists.test.ts",
    ],
    ["eq(links.workspaceId, tenant.workspace.id)", "eq(links.workspaceId, links.workspaceId)"],
  ),
  ...mutate(
    "src/people/erase-scim.ts",
    ["test/worker/erasure.test.ts", "test/worker/people-operations.test.ts"],
    [
      "eq(scimGroupMembers.workspaceId, workspaceId)",
      "eq(scimGroupMembers.workspaceId, scimGroupMembers.workspaceId)",
    ],
    ["eq(scimGroups.workspaceId, workspaceId)", "eq(scimGroups.workspaceId, scimGroups.workspaceId)"],
    ["eq(scimTokens.workspaceId, workspaceId)", "eq(scimTokens.workspaceId, scimTokens.workspaceId)"],
  ),
  ...mutate(
    "src/people/members.ts",
    ["test/worker/workspace.test.ts", "test/worker/people-operations.test.ts", "test/worker/erasure.test.ts"],
    ["eq(members.workspaceId, workspace.id)", "eq(members.workspaceId, members.workspaceId)"],
    ["eq(members.workspaceId, workspaceId)", "eq(members.workspaceId, members.workspaceId)"],
  ),
  ...mutate(
    "src/people/scim/end-access.ts",
    "test/worker/scim.test.ts",
    ["eq(signInLinks.workspaceId, workspace.id)", "eq(signInLinks.workspaceId, signInLinks.workspaceId)"],
    ["eq(members.workspaceId, workspace.id)", "eq(members.workspaceId, members.workspaceId)"],
  ),
  ...mutate(
    "src/people/scim/groups.ts",
    "test/worker/scim.test.ts",
    ["eq(scimGroups.workspaceId, workspace.id);", "eq(scimGroups.workspaceId, scimGroups.workspaceId);"],
    ["eq(peopleTotals.workspaceId, workspace.id)", "eq(peopleTotals.workspaceId, peopleTotals.workspaceId)"],
    ["eq(scimGroups.workspaceId, workspaceId)", "eq(scimGroups.workspaceId, scimGroups.workspaceId)"],
  ),
  ...mutate(
    "src/people/scim/logged-people.ts",
    "test/worker/scim.test.ts",
    [
      "eq(scimGroups.workspaceId, workspace.id)",
      "eq(scimGroups.workspaceId, scimGroups.workspaceId)",
      { equivalent: "what it names was found in the workspace before" },
    ],
    [
      "eq(scimGroupMembers.workspaceId, workspace.id)",
      "eq(scimGroupMembers.workspaceId, scimGroupMembers.workspaceId)",
      { equivalent: "what it names was found in the workspace before" },
    ],
    [
      "eq(members.workspaceId, workspace.id)",
      "eq(members.workspaceId, members.workspaceId)",
      { equivalent: "the batch fails if a named id is of another workspace" },
    ],
  ),
  ...mutate(
    "src/people/scim/users.ts",
    "test/worker/scim.test.ts",
    ["eq(members.workspaceId, workspace.id);", "eq(members.workspaceId, members.workspaceId);"],
    ["eq(peopleTotals.workspaceId, workspace.id)", "eq(peopleTotals.workspaceId, peopleTotals.workspaceId)"],
    [
      "eq(members.workspaceId, workspace.id), eq(members.id, id)))",
      "eq(members.workspaceId, members.workspaceId), eq(members.id, id)))",
    ],
    [
      " eq(members.workspaceId, workspace.id),",
      " eq(members.workspaceId, members.workspaceId),",
      { equivalent: "what it names was found in the workspace before" },
    ],
    [
      "eq(members.workspaceId, workspace.id), eq(members.id, id));",
      "eq(members.workspaceId, members.workspaceId), eq(members.id, id));",
      { equivalent: "what it names was found in the workspace before" },
    ],
  ),
  ...mutate(
    "src/people/sign-in-links.ts",
    ["test/worker/people.test.ts", "test/worker/people-operations.test.ts", "test/worker/erasure.test.ts"],
    ["eq(members.workspaceId, signInLinks.workspaceId)", "eq(members.workspaceId, members.workspaceId)"],
    ["eq(signInLinks.workspaceId, workspaceId)", "eq(signInLinks.workspaceId, signInLinks.workspaceId)"],
  ),
  ...mutate(
    "src/qr/templates.ts",
    ["test/worker/qr-templates.test.ts", "test/worker/tenancy.test.ts", "test/worker/erasure.test.ts"],
    ["eq(templates.workspaceId, workspace.id)", "eq(templates.workspaceId, templates.workspaceId)"],
    ["eq(templates.workspaceId, workspaceId))", "eq(templates.workspaceId, templates.workspaceId))"],
    ["eq(templates.workspaceId, workspaceId),", "eq(templates.workspaceId, templates.workspaceId),"],
  ),
  ...mutate(
    "src/tenant/deleted-workspaces.ts",
    ["test/worker/domains.test.ts", "test/worker/erasure.test.ts", "test/worker/tenancy.test.ts"],
    ["eq(domains.workspaceId, workspaceId)", "eq(domains.workspaceId, domains.workspaceId)"],
  ),
  ...mutate(
    "src/tenant/host-ownership.ts",
    ["test/worker/domains.test.ts", "test/worker/erasure.test.ts", "test/worker/tenancy.test.ts"],
    ["eq(domains.workspaceId, workspaceId)", "eq(domains.workspaceId, domains.workspaceId)"],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    ["test/worker/workspace.test.ts", "test/worker/tenancy.test.ts"],
    [
      "eq(usageCounters.workspaceId, workspace.id)",
      "eq(usageCounters.workspaceId, usageCounters.workspaceId)",
    ],
  ),
  ...mutate("src/webhooks/backlog.ts", "test/worker/webhook-edges.test.ts", [
    "eq(deliveryBacklogs.workspaceId, workspaceId)",
    "eq(deliveryBacklogs.workspaceId, deliveryBacklogs.workspaceId)",
  ]),
  ...mutate(
    "src/webhooks/endpoints.ts",
    [
      "test/worker/webhooks.test.ts",
      "test/worker/webhook-events.test.ts",
      "test/worker/webhook-deliveries.test.ts",
      "test/worker/tenancy.test.ts",
    ],
    ["eq(webhooks.workspaceId, workspace.id)", "eq(webhooks.workspaceId, webhooks.workspaceId)"],
    ["eq(webhooks.workspaceId, workspaceId)", "eq(webhooks.workspaceId, webhooks.workspaceId)"],
  ),
  ...mutate(
    "src/webhooks/erase-endpoints.ts",
    "test/worker/erasure.test.ts",
    ["eq(webhooks.workspaceId, workspaceId)", "eq(webhooks.workspaceId, webhooks.workspaceId)"],
    [
      "eq(deliveryBacklogs.workspaceId, workspaceId)",
      "eq(deliveryBacklogs.workspaceId, deliveryBacklogs.workspaceId)",
    ],
    [
      "eq(webhookEvents.workspaceId, workspaceId)",
      "eq(webhookEvents.workspaceId, webhookEvents.workspaceId)",
    ],
  ),
  ...mutate(
    "src/webhooks/lanes.ts",
    [
      "test/worker/webhooks.test.ts",
      "test/worker/webhook-events.test.ts",
      "test/worker/webhook-deliveries.test.ts",
      "test/worker/tenancy.test.ts",
    ],
    ["eq(webhookLanes.workspaceId, workspaceId)", "eq(webhookLanes.workspaceId, webhookLanes.workspaceId)"],
  ),
  ...mutate(
    "src/webhooks/outbox.ts",
    [
      "test/worker/webhooks.test.ts",
      "test/worker/webhook-events.test.ts",
      "test/worker/webhook-deliveries.test.ts",
      "test/worker/tenancy.test.ts",
    ],
    [
      "eq(webhooks.workspaceId, workspaceId)",
      "eq(webhooks.workspaceId, webhooks.workspaceId)",
      { equivalent: "the event is joined with the endpoints of its workspace" },
    ],
  ),
  ...mutate(
    "src/workspace/usage-report.ts",
    ["test/worker/workspace.test.ts", "test/worker/limits.test.ts"],
    [
      "eq(usageCounters.workspaceId, workspace.id)",
      "eq(usageCounters.workspaceId, usageCounters.workspaceId)",
    ],
  ),
];
