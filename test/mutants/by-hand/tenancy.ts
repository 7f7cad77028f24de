import { type Mutant, mutate } from "../by-hand.ts";

const ASSETS = "test/worker/assets.test.ts";
const AUDIT = "test/worker/audit.test.ts";
const AUTH = "test/worker/auth.test.ts";
const BIO = "test/worker/bio.test.ts";
const BULK = "test/worker/bulk.test.ts";
const DOMAINS = "test/worker/domains.test.ts";
const ERASURE = "test/worker/erasure.test.ts";
const IDEMPOTENCY = "test/worker/idempotency.test.ts";
const LIMITS = "test/worker/limits.test.ts";
const LINK_LISTS = "test/worker/link-lists.test.ts";
const LINKS = "test/worker/links.test.ts";
const PEOPLE = "test/worker/people.test.ts";
const PEOPLE_AUDIT = "test/worker/people-audit.test.ts";
const PEOPLE_OPERATIONS = "test/worker/people-operations.test.ts";
const QR_TEMPLATES = "test/worker/qr-templates.test.ts";
const INVITATIONS = "test/worker/invitations.test.ts";
const REPORTS = "test/worker/reports.test.ts";
const SCIM = "test/worker/scim.test.ts";
const TRASH = "test/worker/trash.test.ts";
const TENANCY = "test/worker/tenancy.test.ts";
const WEBHOOK_DELIVERIES = "test/worker/webhook-deliveries.test.ts";
const WEBHOOK_EDGES = "test/worker/webhook-edges.test.ts";
const WEBHOOK_EVENTS = "test/worker/webhook-events.test.ts";
const WEBHOOKS = "test/worker/webhooks.test.ts";
const WORKSPACE = "test/worker/workspace.test.ts";

/**
 * Conditions by workspace, each replaced by one that every row meets. Two workspaces of one test share a shard, so that
 * only these conditions keep their rows apart.
 */
export const mutants: Mutant[] = [
  ...mutate("src/analytics/deleted-series.ts", ERASURE, [
    "eq(deletedSeries.workspaceId, workspaceId)",
    "eq(deletedSeries.workspaceId, deletedSeries.workspaceId)",
  ]),
  ...mutate(
    "src/assets/assets.ts",
    [TENANCY, ASSETS],
    ["eq(assets.workspaceId, workspace.id)", "eq(assets.workspaceId, assets.workspaceId)"],
    ["eq(assets.workspaceId, workspaceId)", "eq(assets.workspaceId, assets.workspaceId)"],
  ),
  ...mutate(
    "src/assets/removal.ts",
    [TENANCY, ASSETS],
    ["eq(assets.workspaceId, workspace.id)", "eq(assets.workspaceId, assets.workspaceId)"],
  ),
  ...mutate(
    "src/assets/sweep.ts",
    [ERASURE, ASSETS],
    ["eq(assets.workspaceId, workspaceId)", "eq(assets.workspaceId, assets.workspaceId)"],
    [
      "eq(deletedAssets.workspaceId, workspaceId)",
      "eq(deletedAssets.workspaceId, deletedAssets.workspaceId)",
    ],
  ),
  ...mutate(
    "src/audit/directory-log.ts",
    [AUDIT, ERASURE],
    ["eq(log.workspaceId, workspaceId)", "eq(log.workspaceId, log.workspaceId)"],
  ),
  ...mutate("src/audit/find-entries.ts", AUDIT, [
    "eq(log.workspaceId, workspaceId)",
    "eq(log.workspaceId, log.workspaceId)",
  ]),
  ...mutate(
    "src/audit/shard-log.ts",
    [AUDIT, ERASURE],
    [
      "eq(auditLog.workspaceId, workspace.id)",
      "eq(auditLog.workspaceId, auditLog.workspaceId)",
      { equivalent: "the resource is of the workspace" },
    ],
    ["eq(auditLog.workspaceId, workspaceId)", "eq(auditLog.workspaceId, auditLog.workspaceId)"],
    ["eq(auditLog.workspaceId, id)", "eq(auditLog.workspaceId, auditLog.workspaceId)"],
  ),
  ...mutate(
    "src/keys/erase-keys.ts",
    [ERASURE, PEOPLE_OPERATIONS],
    ["eq(apiKeys.workspaceId, workspaceId)", "eq(apiKeys.workspaceId, apiKeys.workspaceId)"],
  ),
  ...mutate(
    "src/keys/keys.ts",
    [PEOPLE_OPERATIONS, PEOPLE_AUDIT, AUTH],
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
    [TENANCY, BIO],
    ["eq(bioPages.workspaceId, workspace.id)", "eq(bioPages.workspaceId, bioPages.workspaceId)"],
    ["eq(bioPages.workspaceId, workspaceId)", "eq(bioPages.workspaceId, bioPages.workspaceId)"],
  ),
  ...mutate(
    "src/bio/page-removal.ts",
    [ERASURE, BIO],
    ["eq(bioPages.workspaceId, workspaceId)", "eq(bioPages.workspaceId, bioPages.workspaceId)"],
  ),
  ...mutate("src/bio/published-page.ts", BIO, [
    "eq(bioPages.workspaceId, workspaceId)",
    "eq(bioPages.workspaceId, bioPages.workspaceId)",
    { equivalent: "the id of a page is of one workspace" },
  ]),
  ...mutate(
    "src/bio/slug-claims.ts",
    [ERASURE, BIO],
    ["eq(bioSlugs.workspaceId, workspaceId)", "eq(bioSlugs.workspaceId, bioSlugs.workspaceId)"],
  ),
  ...mutate(
    "src/domains/activate-domain.ts",
    [DOMAINS, TENANCY, ERASURE],
    ["eq(domains.workspaceId, workspaceId)", "eq(domains.workspaceId, domains.workspaceId)"],
  ),
  ...mutate(
    "src/domains/claim-host.ts",
    [DOMAINS, TENANCY, ERASURE],
    [
      "eq(claims.workspaceId, workspace.id)),",
      "eq(claims.workspaceId, claims.workspaceId)),",
      { equivalent: "a new id is of one workspace" },
    ],
  ),
  ...mutate(
    "src/domains/workspace-domains.ts",
    [DOMAINS, TENANCY, ERASURE],
    ["where(eq(claims.workspaceId, workspace.id))", "where(eq(claims.workspaceId, claims.workspaceId))"],
    ["eq(claims.workspaceId, workspaceId), eq", "eq(claims.workspaceId, claims.workspaceId), eq"],
    ["eq(claims.workspaceId, workspaceId))", "eq(claims.workspaceId, claims.workspaceId))"],
    ["eq(domains.workspaceId, claims.workspaceId)", "eq(domains.workspaceId, domains.workspaceId)"],
    ["eq(claims.workspaceId, workspaceId), cond", "eq(claims.workspaceId, claims.workspaceId), cond"],
  ),
  ...mutate(
    "src/http/idempotency-keys.ts",
    [IDEMPOTENCY, ERASURE],
    ["eq(table.workspaceId, workspaceId), eq", "eq(table.workspaceId, table.workspaceId), eq"],
    [" eq(table.workspaceId, workspaceId),", " eq(table.workspaceId, table.workspaceId),"],
  ),
  ...mutate("src/links/bulk.ts", BULK, [
    "eq(links.workspaceId, workspace.id)",
    "eq(links.workspaceId, links.workspaceId)",
    { equivalent: "the ids derive from a request of the workspace" },
  ]),
  ...mutate(
    "src/links/link-audit.ts",
    [LINKS, AUDIT, TENANCY, LINK_LISTS],
    [
      "eq(links.workspaceId, workspace.id)",
      "eq(links.workspaceId, links.workspaceId)",
      { equivalent: "new ids are of one workspace" },
    ],
  ),
  ...mutate(
    "src/links/link-candidates.ts",
    LINK_LISTS,
    ["workspace_id = ${workspace.id} and code_key in", "code_key in"],
    ["eq(linkLabels.workspaceId, tenant.workspace.id)", "eq(linkLabels.workspaceId, linkLabels.workspaceId)"],
    [
      "eq(links.workspaceId, tenant.workspace.id), inRange",
      "eq(links.workspaceId, links.workspaceId), inRange",
    ],
    ["eq(linkLabels.workspaceId, workspace.id)", "eq(linkLabels.workspaceId, linkLabels.workspaceId)"],
  ),
  ...mutate(
    "src/links/link-list.ts",
    [TENANCY, LINK_LISTS],
    [
      "eq(links.workspaceId, workspace.id), byArchived",
      "eq(links.workspaceId, links.workspaceId), byArchived",
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
    [LINKS, AUDIT, TENANCY, LINK_LISTS],
    [
      "eq(links.workspaceId, workspace.id)",
      "eq(links.workspaceId, links.workspaceId)",
      { equivalent: "the ids are from counts of the workspace" },
    ],
  ),
  ...mutate("src/links/link-ranking.ts", LINK_LISTS, [
    "eq(links.workspaceId, tenant.workspace.id)",
    "eq(links.workspaceId, links.workspaceId)",
  ]),
  ...mutate(
    "src/links/link-writes.ts",
    [LINKS, BULK, TENANCY, ERASURE],
    ["eq(links.workspaceId, workspaceId), eq", "eq(links.workspaceId, links.workspaceId), eq"],
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
    [LINKS, AUDIT, TENANCY, LINK_LISTS],
    ["eq(links.workspaceId, tenant.workspace.id)", "eq(links.workspaceId, links.workspaceId)"],
  ),
  ...mutate(
    "src/scim/erase-scim.ts",
    [ERASURE, PEOPLE_OPERATIONS],
    [
      "eq(scimGroupMembers.workspaceId, workspaceId)",
      "eq(scimGroupMembers.workspaceId, scimGroupMembers.workspaceId)",
    ],
    ["eq(scimTokens.workspaceId, workspaceId)", "eq(scimTokens.workspaceId, scimTokens.workspaceId)"],
  ),
  ...mutate(
    "src/members/members.ts",
    [WORKSPACE, PEOPLE_OPERATIONS, ERASURE],
    ["eq(members.workspaceId, workspace.id)", "eq(members.workspaceId, members.workspaceId)"],
    ["eq(members.workspaceId, workspaceId)", "eq(members.workspaceId, members.workspaceId)"],
  ),
  ...mutate(
    "src/people/manage-members.ts",
    INVITATIONS,
    [
      "const byId = and(eq(members.workspaceId, workspace.id)",
      "const byId = and(eq(members.workspaceId, members.workspaceId)",
    ],
    ["other.workspace_id = ${workspaceId}", "true"],
  ),
  ...mutate(
    "src/people/invitations.ts",
    INVITATIONS,
    ["eq(scimTokens.workspaceId, workspaceId)", "eq(scimTokens.workspaceId, scimTokens.workspaceId)"],
    [
      "...[eq(members.workspaceId, workspace.id), eq(members.id, memberId)",
      "...[eq(members.workspaceId, members.workspaceId), eq(members.id, memberId)",
    ],
  ),
  ...mutate(
    "src/people/accept-invitation.ts",
    INVITATIONS,
    ["where other.workspace_id = ${workspaceId}", "where true"],
    ["and other.person = ${person}", ""],
    ["getProvedEmail(person) ?? email", "email"],
  ),
  ...mutate("src/reports/report-links.ts", REPORTS, [
    "sql`${eq(links.workspaceId, workspaceId)} and ${ids}`",
    "ids",
  ]),
  ...mutate(
    "src/reports/reports.ts",
    [TENANCY, REPORTS],
    [
      "and(eq(reports.workspaceId, workspaceId), eq(reports.id, id))",
      "and(eq(reports.workspaceId, reports.workspaceId), eq(reports.id, id))",
    ],
    [".where(and(isHere, olderThan(reports.id, before)))", ".where(olderThan(reports.id, before))"],
  ),
  ...mutate(
    "src/scim/groups.ts",
    SCIM,
    ["eq(scimGroups.workspaceId, workspace.id);", "eq(scimGroups.workspaceId, scimGroups.workspaceId);"],
    ["eq(peopleTotals.workspaceId, workspace.id)", "eq(peopleTotals.workspaceId, peopleTotals.workspaceId)"],
  ),
  ...mutate(
    "src/scim/logged-people.ts",
    SCIM,
    ["eq(scimGroups.workspaceId, workspaceId)", "eq(scimGroups.workspaceId, scimGroups.workspaceId)"],
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
    "src/scim/users.ts",
    SCIM,
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
    "src/members/sign-in-links.ts",
    [PEOPLE, PEOPLE_OPERATIONS, ERASURE],
    ["eq(members.workspaceId, signInLinks.workspaceId)", "eq(members.workspaceId, members.workspaceId)"],
    ["eq(signInLinks.workspaceId, workspaceId)", "eq(signInLinks.workspaceId, signInLinks.workspaceId)"],
  ),
  ...mutate(
    "src/qr/templates.ts",
    [QR_TEMPLATES, TENANCY, ERASURE],
    ["eq(templates.workspaceId, workspace.id)", "eq(templates.workspaceId, templates.workspaceId)"],
    ["eq(templates.workspaceId, workspaceId))", "eq(templates.workspaceId, templates.workspaceId))"],
    ["eq(templates.workspaceId, workspaceId),", "eq(templates.workspaceId, templates.workspaceId),"],
  ),
  ...mutate(
    "src/tenant/host-ownership.ts",
    [DOMAINS, ERASURE, TENANCY],
    ["and(eq(domains.workspaceId, workspaceId)", "and(eq(domains.workspaceId, domains.workspaceId)"],
    ["owned = eq(domains.workspaceId, workspaceId)", "owned = eq(domains.workspaceId, domains.workspaceId)"],
  ),
  ...mutate(
    "src/tenant/usage.ts",
    [WORKSPACE, TENANCY],
    [
      "eq(usageCounters.workspaceId, workspace.id)",
      "eq(usageCounters.workspaceId, usageCounters.workspaceId)",
    ],
  ),
  ...mutate(
    "src/trash/trash.ts",
    [TRASH, ERASURE],
    ["eq(trash.workspaceId, workspace.id)", "eq(trash.workspaceId, trash.workspaceId)"],
    ["eq(trash.workspaceId, workspaceId)", "eq(trash.workspaceId, trash.workspaceId)"],
    ["${tenants.id} = ${workspace.id}", "${tenants.id} = ${tenants.id}"],
    ["eq(tenants.id, workspace.id)", "eq(tenants.id, tenants.id)"],
  ),
  ...mutate("src/webhooks/backlog.ts", WEBHOOK_EDGES, [
    "eq(deliveryBacklogs.workspaceId, workspaceId)",
    "eq(deliveryBacklogs.workspaceId, deliveryBacklogs.workspaceId)",
  ]),
  ...mutate(
    "src/webhooks/endpoints.ts",
    [WEBHOOKS, WEBHOOK_EVENTS, WEBHOOK_DELIVERIES, TENANCY],
    ["eq(webhooks.workspaceId, workspace.id)", "eq(webhooks.workspaceId, webhooks.workspaceId)"],
    ["eq(webhooks.workspaceId, workspaceId)", "eq(webhooks.workspaceId, webhooks.workspaceId)"],
  ),
  ...mutate(
    "src/webhooks/erase-endpoints.ts",
    ERASURE,
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
    [WEBHOOKS, WEBHOOK_EVENTS, WEBHOOK_DELIVERIES, TENANCY],
    ["eq(webhookLanes.workspaceId, workspaceId)", "eq(webhookLanes.workspaceId, webhookLanes.workspaceId)"],
  ),
  ...mutate(
    "src/webhooks/outbox.ts",
    [WEBHOOKS, WEBHOOK_EVENTS, WEBHOOK_DELIVERIES, TENANCY],
    [
      "eq(webhooks.workspaceId, workspaceId)",
      "eq(webhooks.workspaceId, webhooks.workspaceId)",
      { equivalent: "the event is joined with the endpoints of its workspace" },
    ],
  ),
  ...mutate(
    "src/workspace/usage-report.ts",
    [WORKSPACE, LIMITS],
    [
      "eq(usageCounters.workspaceId, workspace.id)",
      "eq(usageCounters.workspaceId, usageCounters.workspaceId)",
    ],
  ),
];
