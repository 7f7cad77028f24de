import { type Mutant, mutate } from "../by-hand.ts";

const PEOPLE = "test/unit/people.test.ts";
const WORKER_PEOPLE = "test/worker/people.test.ts";
const PEOPLE_AUDIT = "test/worker/people-audit.test.ts";
const PEOPLE_OPERATIONS = "test/worker/people-operations.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/keys/keys.ts",
    "test/worker/people-operations.test.ts",
    ["= ${workspace.id} and ${isWorking}", "= ${workspace.id}"],
    ["${apiKeys.createdBy} is not null and not", "not"],
    ["[!hasLeft, hasLeft]", "[hasLeft, !hasLeft]"],
    ['actor.type === "person" ? actor : null', "null"],
  ),
  ...mutate("src/members/members.ts", "test/worker/people-operations.test.ts", [
    " and ${members.isActive})`",
    ")`",
  ]),
  ...mutate(
    "src/scim/users.ts",
    "test/worker/people-operations.test.ts",
    ["isUnchanged, former.isActive)]", "isUnchanged, columns.isActive)]"],
    ["columns.isActive === former.isActive ? [] : [describe", "false ? [] : [describe"],
    ["and(byId, eq(members.isActive, true)), true)", "byId, true)"],
  ),
  ...mutate(
    "src/members/host-cookie.ts",
    PEOPLE,
    ['"SameSite=Lax",', '"SameSite=None",'],
    ['startsWith("https:")', 'startsWith("http")'],
    ["part.startsWith(prefix)", "part.includes(prefix)"],
    ["form.test(value) ?", 'value !== "" ?'],
  ),
  ...mutate(
    "src/permissions/roles.ts",
    PEOPLE,
    ['["domains:write"]', '["qr:render"]'],
    ['scope.endsWith(":read")', "true"],
    ["owner: [ALL_SCOPES]", "owner: [...SCOPES]"],
    ['SCOPES.filter(isRead), "qr:render", "session"', 'SCOPES.filter(isRead), "session"'],
    ["ROLES.findLast", "ROLES.find"],
  ),
  ...mutate(
    "src/members/verify-session.ts",
    WORKER_PEOPLE,
    [" AND m.is_active = 1", ""],
    [" AND m.is_accepted = 1", ""],
    ["OR w.slug = ?2)", "OR TRUE)"],
  ),
  ...mutate("src/members/sign-in-links.ts", WORKER_PEOPLE, ["gt(signInLinks.expiresAt, nowMs)", "sql`true`"]),
  ...mutate(
    "src/members/start-session.ts",
    [WORKER_PEOPLE, PEOPLE_AUDIT],
    ["sql`where ${condition}`", "sql`where true`"],
    [", isRepeatable: true }", " }"],
  ),
  ...mutate("src/members/sessions.ts", PEOPLE_AUDIT, ["id: memberId, name }", "id: name, name }"]),
  ...mutate(
    "src/members/sessions.ts",
    PEOPLE_OPERATIONS,
    ["lte(sessions.expiresAt, nowMs)", "sql`true`"],
    ["delete(sessions).where(byId).returning(", "delete(sessions).where(sql`false`).returning("],
  ),
  ...mutate(
    "src/auth/authenticate-person.ts",
    [WORKER_PEOPLE, PEOPLE_OPERATIONS],
    ["=== appUrl) return;", "?.startsWith(appUrl)) return;"],
    ["(!isChange && PATHS_WITHOUT_WORKSPACE", "(PATHS_WITHOUT_WORKSPACE"],
    ["scopes: listScopes(member.role)", 'scopes: ["*"]'],
    ["if (isSeenStale(session.lastSeenAt, nowMs)) writeSeen", "writeSeen"],
  ),
  ...mutate(
    "src/keys/keys.ts",
    PEOPLE_OPERATIONS,
    ["expiresAt <= nowMs) {", "expiresAt < 0) {"],
    ["nowMs + overlapHours * HOUR_MS", "nowMs"],
    ["isNull(apiKeys.replacedBy), isNull(apiKeys.revokedAt)", "sql`true`"],
  ),
  ...mutate("src/limits/person-call.ts", PEOPLE_OPERATIONS, ["`person:${memberId}`", '"person"']),
];
