import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/domains/hostname.ts", "unit/domain-name", [
    "DOMAIN_NAME.test(hostname) ? hostname : null",
    "hostname",
  ]),
  ...mutate(
    "src/domains/claim-host.ts",
    "worker/domains",
    ["    directory.delete(claims).where(byId),", ""],
    ["${used} < ${cap} and", "${used} <= ${cap} and"],
    ["${used} < ${cap} and not ${isTaken}", "not ${isTaken}"],
    ["${used} < ${cap} and not ${isTaken}", "${used} < ${cap}"],
    [" and ${claims.isCounted})", ")"],
    ["${domains.hostname} = ${hostname} and ${domains.workspaceId} <> ${workspace.id})", "false)"],
    ["${workspaces.slug} = ${label} and ${workspaces.id} <> ${workspace.id}))", "false))"],
    [
      "${workspaces.slug} = ${label} and ${workspaces.id} <> ${workspace.id}))",
      "${workspaces.slug} = ${label}))",
    ],
  ),
  ...mutate(
    "src/domains/activate-domain.ts",
    "worker/domains",
    [", settleOwned(directory, hostname)];", "];"],
    ["and not ${isErased()}", ""],
    ["${claims.id} = ${id} and ${claims.workspaceId}", "${claims.workspaceId}"],
  ),
  ...mutate(
    "src/domains/sweep-claims.ts",
    "worker/domains",
    ["lte(claims.createdAt", "lt(claims.createdAt"],
    ["lte(claims.checkAt, nowMs)", "lt(claims.checkAt, nowMs)"],
    ["orderBy(asc(claims.checkAt))", "orderBy(asc(claims.id))"],
    ["sql`${claims.checks} + 1`", "sql`${claims.checks}`"],
  ),
  ...mutate("src/domains/verify-domain.ts", "worker/domains", [
    "if (!(await activateDomain(directory, shards, claim, nowMs, tenant)))",
    "if (!activateDomain(directory, shards, claim, nowMs, tenant))",
  ]),
  ...mutate(
    "src/domains/look-up-proof.ts",
    "worker/domains",
    ["text.trim().toLowerCase() === id", "text.includes(id.slice(0, 8))"],
    [
      "policy: buildOutboundPolicy(settings, new Set()),",
      "policy: { ...buildOutboundPolicy(settings, new Set()), allowLoopback: true },",
    ],
    ['error.name === "TimeoutError"', 'error.name === "AbortError"'],
  ),
  ...mutate(
    "src/domains/domain-settings.ts",
    "worker/domains",
    ["new Set([...own, hostname])", "new Set(own)"],
    ["new Set([...own, hostname])", "new Set([hostname])"],
  ),
  ...mutate(
    "src/domains/domain-settings.ts",
    "worker/domain-pages",
    ["expiredUrl: expired_url, expiredHost", "expiredUrl: root_url, expiredHost"],
    ["rootHost: readHost(root_url)", "rootHost: null"],
  ),
  ...mutate(
    "src/domains/workspace-domains.ts",
    "worker/domains",
    ["isPrimary ? sql`${claim.hostname}` : sql`null`", "sql`null`"],
    ["isPrimary ? sql`${claim.hostname}` : sql`null`", "sql`${claim.hostname}`"],
  ),
  ...mutate(
    "src/domains/serve-document.ts",
    "worker/domain-pages",
    ["if (!host?.documents || host.isSuspended) return null;", "if (host === null) return null;"],
    ["document === null ? null : buildResponse", "document === null ? new Response(null) : buildResponse"],
    ["return respondLater(503, 5);", "return null;"],
    ["${documents}/${column}", "${column}"],
    ["if (ifNoneMatch !== null && isEtagListed(ifNoneMatch, etag, true))", "if (ifNoneMatch !== null)"],
  ),
  ...mutate("src/domains/workspace-domains.ts", "worker/lists", [
    ".orderBy(desc(claims.id))",
    ".orderBy(claims.id)",
  ]),
];
