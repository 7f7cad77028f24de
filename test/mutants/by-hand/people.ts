import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/keys/keys.ts",
    "worker/people-operations",
    ["= ${workspace.id} and ${isWorking}", "= ${workspace.id}"],
    ["[!hasLeft, hasLeft]", "[hasLeft, !hasLeft]"],
    ["expiresAt <= nowMs) {", "expiresAt < 0) {"],
    ["nowMs + overlapHours * HOUR_MS", "nowMs"],
    ["isNull(apiKeys.replacedBy), isNull(apiKeys.revokedAt)", "sql`true`"],
  ),
  ...mutate("src/members/members.ts", "worker/people-operations", [" and ${members.isActive})`", ")`"]),
  ...mutate(
    "src/scim/users.ts",
    "worker/people-operations",
    ["isUnchanged, former.isActive)]", "isUnchanged, columns.isActive)]"],
    ["and(byId, eq(members.isActive, true)), true)", "byId, true)"],
  ),
  ...mutate(
    "src/members/host-cookie.ts",
    "unit/people",
    ['"SameSite=Lax",', '"SameSite=None",'],
    ['startsWith("https:")', 'startsWith("http")'],
    ["part.startsWith(prefix)", "part.includes(prefix)"],
    ["form.test(value) ?", 'value !== "" ?'],
  ),
  ...mutate(
    "src/permissions/roles.ts",
    "unit/people",
    ['["domains:write"]', '["qr:render"]'],
    ['scope.endsWith(":read")', "true"],
    ["owner: [ALL_SCOPES]", "owner: [...SCOPES]"],
    ['SCOPES.filter(isRead), "qr:render", "session"', 'SCOPES.filter(isRead), "session"'],
    ["ROLES.findLast", "ROLES.find"],
  ),
  ...mutate(
    "src/members/verify-session.ts",
    ["worker/people", "worker/people-operations"],
    [" AND m.is_active = 1", ""],
    [" AND m.is_accepted = 1", ""],
    ["OR w.slug = ?2)", "OR TRUE)"],
  ),
  ...mutate("src/members/sign-in-links.ts", "worker/people", [
    "gt(signInLinks.expiresAt, nowMs)",
    "sql`true`",
  ]),
  ...mutate(
    "src/members/start-session.ts",
    ["worker/people", "worker/people-audit"],
    ["sql`where ${condition}`", "sql`where true`"],
  ),
  ...mutate("src/members/sessions.ts", "worker/people-audit", ["id: memberId, name }", "id: name, name }"]),
  ...mutate(
    "src/members/sessions.ts",
    "worker/people-operations",
    ["lte(sessions.expiresAt, nowMs)", "sql`true`"],
    ["delete(sessions).where(byId).returning(", "delete(sessions).where(sql`false`).returning("],
  ),
  ...mutate(
    "src/auth/authenticate-person.ts",
    ["worker/people", "worker/people-operations"],
    ["=== appUrl) return;", "?.startsWith(appUrl)) return;"],
    ["(!isChange && PATHS_WITHOUT_WORKSPACE", "(PATHS_WITHOUT_WORKSPACE"],
    ["scopes: listScopes(member.role)", 'scopes: ["*"]'],
  ),
  ...mutate("src/limits/person-call.ts", "worker/people-operations", ["`person:${memberId}`", '"person"']),
];
