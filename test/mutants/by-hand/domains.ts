import { type Mutant, mutate } from "../by-hand.ts";

const DOMAIN_NAME = "test/unit/domain-name.test.ts";
const DOMAINS = "test/worker/domains.test.ts";
const DOMAIN_PAGES = "test/worker/domain-pages.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/domains/hostname.ts", DOMAIN_NAME, [
    "DOMAIN_NAME.test(hostname) ? hostname : null",
    "hostname",
  ]),
  ...mutate(
    "src/domains/claim-host.ts",
    DOMAINS,
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
    ["if (!isUniqueViolation(error, ...HOSTNAME_COLUMNS)) throw error;", "throw error;"],
  ),
  ...mutate(
    "src/domains/activate-domain.ts",
    DOMAINS,
    [", settleOwned(directory, hostname)];", "];"],
    ["and not ${isErased()}", ""],
    ["${claims.id} = ${id} and ${claims.workspaceId}", "${claims.workspaceId}"],
  ),
  ...mutate(
    "src/domains/sweep-claims.ts",
    DOMAINS,
    ["lte(claims.createdAt", "lt(claims.createdAt"],
    ["if (isProved) await", "await"],
    ["lte(claims.checkAt, nowMs)", "lt(claims.checkAt, nowMs)"],
    ["orderBy(asc(claims.checkAt))", "orderBy(asc(claims.id))"],
    ["sql`${claims.checks} + 1`", "sql`${claims.checks}`"],
  ),
  ...mutate("src/domains/verify-domain.ts", DOMAINS, [
    "if (!(await activateDomain(directory, shards, claim, nowMs, tenant)))",
    "if (!activateDomain(directory, shards, claim, nowMs, tenant))",
  ]),
  ...mutate(
    "src/domains/look-up-proof.ts",
    DOMAINS,
    ["text.trim().toLowerCase() === id", "text.includes(id.slice(0, 8))"],
    [
      "policy: buildOutboundPolicy(settings, new Set()),",
      "policy: { ...buildOutboundPolicy(settings, new Set()), allowLoopback: true },",
    ],
    ['error.name === "TimeoutError"', 'error.name === "AbortError"'],
  ),
  ...mutate(
    "src/domains/domain-settings.ts",
    DOMAINS,
    ["new Set([...own, hostname])", "new Set(own)"],
    ["new Set([...own, hostname])", "new Set([hostname])"],
    ['["root_url", "not_found_url", "expired_url"]', '["root_url", "not_found_url"]'],
    ['["root_url", "not_found_url", "expired_url"]', '["root_url", "expired_url"]'],
  ),
  ...mutate(
    "src/domains/domain-settings.ts",
    DOMAIN_PAGES,
    ["expiredUrl: expired_url, expiredHost", "expiredUrl: root_url, expiredHost"],
    ["rootHost: readHost(root_url)", "rootHost: null"],
  ),
  ...mutate(
    "src/domains/workspace-domains.ts",
    DOMAINS,
    ["if (Object.keys(patch).length === 0) return before;", "return before;"],
    ["isPrimary ? sql`${claim.hostname}` : sql`null`", "sql`null`"],
    ["isPrimary ? sql`${claim.hostname}` : sql`null`", "sql`${claim.hostname}`"],
    [".orderBy(desc(claims.id))", ".orderBy(claims.id)"],
  ),
  ...mutate(
    "src/domains/serve-document.ts",
    DOMAIN_PAGES,
    ["if (!host?.documents || host.isSuspended) return null;", "if (host === null) return null;"],
    ["document === null ? null : buildResponse", "document === null ? new Response(null) : buildResponse"],
    ["return respondLater(503, 5);", "return null;"],
    ["${documents}/${column}", "${column}"],
    ["if (ifNoneMatch !== null && isEtagListed", "if (isEtagListed"],
    ["if (ifNoneMatch !== null && isEtagListed(ifNoneMatch, etag, true))", "if (ifNoneMatch !== null)"],
    ['request.method === "HEAD" ? null : text', "text"],
  ),
];
