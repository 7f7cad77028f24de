import { type Mutant, mutate } from "./tool/mutant.ts";

const UNIT = "test/unit/people.test.ts";
const SIGN_IN = "test/worker/people.test.ts";
const LOG = "test/worker/people-audit.test.ts";
const OPERATIONS = "test/worker/people-operations.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/members/session-times.ts",
    UNIT,
    ["SESSION_IDLE_MS = 14", "SESSION_IDLE_MS = 15"],
    ["SESSION_MAX_MS = 30", "SESSION_MAX_MS = 31"],
    ["SEEN_INTERVAL_MS = DAY_MS", "SEEN_INTERVAL_MS = 2 * DAY_MS"],
    ["SIGN_IN_LINK_MS = 15", "SIGN_IN_LINK_MS = 16"],
    ["Math.min(", "Math.max("],
    ["createdAtMs + SESSION_MAX_MS", "lastSeenAtMs + SESSION_MAX_MS"],
    [">= SEEN_INTERVAL_MS", "> SEEN_INTERVAL_MS"],
  ),
  ...mutate(
    "src/members/session-cookie.ts",
    UNIT,
    ["{48}$/", "{47,}$/"],
    ["token, SESSION_MAX_MS", "token, 2 * SESSION_MAX_MS"],
    ['NAME, "", 0,', 'NAME, "", 1,'],
  ),
  ...mutate(
    "src/members/host-cookie.ts",
    UNIT,
    ['HOST_PREFIX = "__Host-"', 'HOST_PREFIX = ""'],
    ['"HttpOnly",', ""],
    ['"SameSite=Lax",', '"SameSite=None",'],
    ['"Path=/",', ""],
    ['["Secure"] : []', "[] : []"],
    ['startsWith("https:")', 'startsWith("http")'],
    ["part.startsWith(prefix)", "part.includes(prefix)"],
    ["form.test(value) ?", 'value !== "" ?'],
  ),
  ...mutate(
    "src/permissions/roles.ts",
    UNIT,
    ['["domains:write"]', "[]"],
    ['scope.endsWith(":read")', "true"],
    ["owner: [ALL_SCOPES]", "owner: [...SCOPES]"],
    ['SCOPES.filter(isRead), "qr:render", "session"', 'SCOPES.filter(isRead), "session"'],
    ["ROLES.findLast", "ROLES.find"],
  ),
  ...mutate(
    "src/members/email.ts",
    UNIT,
    [".toLowerCase()", ""],
    [".trim()", ""],
    ["email.length <= EMAIL_MAX_LENGTH &&", ""],
    ["<= EMAIL_MAX_LENGTH", "< EMAIL_MAX_LENGTH"],
  ),
  ...mutate(
    "src/members/verify-session.ts",
    SIGN_IN,
    ["row.expires_at <= nowMs", "row.expires_at < nowMs"],
    ["row === null || row.expires_at <= nowMs", "row === null"],
    [" AND m.is_active = 1", ""],
    ["OR w.slug = ?2)", "OR TRUE)"],
  ),
  ...mutate(
    "src/members/sign-in-links.ts",
    SIGN_IN,
    [
      "directory.delete(signInLinks).where(eq(signInLinks.tokenHash, linkHash));",
      'directory.delete(signInLinks).where(eq(signInLinks.tokenHash, ""));',
    ],
    ["gt(signInLinks.expiresAt, nowMs)", "sql`true`"],
    ["eq(members.isActive, true),", ""],
  ),
  ...mutate(
    "src/members/start-session.ts",
    [SIGN_IN, LOG],
    ["sql`where ${condition}`", "sql`where true`"],
    ["and(isFormer, sql`exists", "and(sql`false`, sql`exists"],
    [", isRepeatable: true }", " }"],
  ),
  ...mutate(
    "src/members/sessions.ts",
    LOG,
    ["beginning === undefined", "beginning !== undefined"],
    ["id: memberId, name }", "id: name, name }"],
  ),
  ...mutate(
    "src/members/sessions.ts",
    OPERATIONS,
    ["and(eq(sessions.email, email), eq(sessions.id, id))", "eq(sessions.id, id)"],
    ["lte(sessions.expiresAt, nowMs)", "sql`true`"],
    ["delete(sessions).where(byId).returning(", "delete(sessions).where(sql`false`).returning("],
    ["SESSIONS_MAX = 50", "SESSIONS_MAX = 51"],
    ["SESSIONS_MAX = 50", "SESSIONS_MAX = 49"],
  ),
  ...mutate(
    "src/members/memberships.ts",
    OPERATIONS,
    ["MEMBERSHIPS_MAX = 200", "MEMBERSHIPS_MAX = 201"],
    ["MEMBERSHIPS_MAX = 200", "MEMBERSHIPS_MAX = 199"],
  ),
  ...mutate(
    "src/members/sessions.ts",
    UNIT,
    ["TOKEN_LENGTH = 48", "TOKEN_LENGTH = 47"],
    ["TOKEN_LENGTH = 48", "TOKEN_LENGTH = 49"],
  ),
  ...mutate(
    "src/members/known-sessions.ts",
    UNIT,
    ["MEMORY_MS = HOUR_MS", "MEMORY_MS = HOUR_MS + 1"],
    ["MEMORY_MS = HOUR_MS", "MEMORY_MS = HOUR_MS - 1"],
    ["SESSIONS_MAX_BYTES = 1_048_576", "SESSIONS_MAX_BYTES = 300"],
  ),
  ...mutate(
    "src/auth/authenticate-person.ts",
    [SIGN_IN, OPERATIONS],
    ["if (isChange) requireOwnOrigin(c);", ""],
    ["=== appUrl) return;", "?.startsWith(appUrl)) return;"],
    ["(!isChange && PATHS_WITHOUT_WORKSPACE", "(PATHS_WITHOUT_WORKSPACE"],
    ['(c.req.header("Authorization") !== undefined)', "(false)"],
    ["scopes: listScopes(member.role)", 'scopes: ["*"]'],
    ["if (isSeenStale(session.lastSeenAt, nowMs)) writeSeen", "writeSeen"],
  ),
  ...mutate(
    "src/sign-in/app-host.ts",
    SIGN_IN,
    ['method === "POST" && request.headers.get("Origin") !== settings.appUrl', "false"],
    ["if (token !== null) await endSessionOfToken", "if (token === null) await endSessionOfToken"],
  ),
  ...mutate(
    "src/keys/keys.ts",
    OPERATIONS,
    ["expiresAt <= nowMs) {", "expiresAt < 0) {"],
    ["const KEYS_MAX = 100", "const KEYS_MAX = 101"],
    ["= 2 * KEYS_MAX;", "= 2 * KEYS_MAX + 1;"],
    ["= 2 * KEYS_MAX;", "= 2 * KEYS_MAX - 1;"],
    ["ENDED_KEYS_MAX = 100", "ENDED_KEYS_MAX = 101"],
    ["ENDED_KEYS_MAX = 100", "ENDED_KEYS_MAX = 99"],
    ["nowMs + overlapHours * HOUR_MS", "nowMs"],
    ["isNull(apiKeys.replacedBy), isNull(apiKeys.revokedAt)", "sql`true`"],
    [
      "const byId = and(eq(apiKeys.workspaceId, workspace.id), eq(apiKeys.id, id));",
      "const byId = eq(apiKeys.id, id);",
    ],
  ),
  ...mutate("src/http/idempotency.ts", OPERATIONS, [
    'session === undefined ? "" :',
    'session !== undefined ? "" :',
  ]),
  ...mutate("src/http/operation.ts", "test/worker/workspace-moves.test.ts", [
    " && worksDuringMove !== true",
    "",
  ]),
  ...mutate("src/http/operation.ts", OPERATIONS, ["session === undefined && isPersonScope(scope)", "false"]),
  ...mutate("src/limits/allowance.ts", OPERATIONS, [
    "PERSON_BURST_PER_SECOND = 20",
    "PERSON_BURST_PER_SECOND = 21",
  ]),
  ...mutate("src/limits/person-call.ts", OPERATIONS, ["`person:${memberId}`", '"person"']),
  // The other side of limits that are moved to one side above.
  ...mutate(
    "src/members/session-times.ts",
    "test/unit/people.test.ts",
    ["SESSION_IDLE_MS = 14 * DAY_MS;", "SESSION_IDLE_MS = 14 * DAY_MS - 1;"],
    ["SESSION_MAX_MS = 30 * DAY_MS;", "SESSION_MAX_MS = 30 * DAY_MS - 1;"],
    ["SEEN_INTERVAL_MS = DAY_MS;", "SEEN_INTERVAL_MS = DAY_MS - 1;"],
    ["SIGN_IN_LINK_MS = 15 * MINUTE_MS;", "SIGN_IN_LINK_MS = 15 * MINUTE_MS - 1;"],
  ),
  ...mutate(
<<<<<<< 503f1a40d574bd30fc306e4c9bd00c01fa7bbf5f
    "src/members/sign-in-links.ts",
=======
    "src/people/sign-in-link-address.ts",
>>>>>>> 2dd86caaf57eb1e67709dec84dc4af2def4edf36
    UNIT,
    ["const TOKEN_LENGTH = 48;", "const TOKEN_LENGTH = 49;"],
    ["const TOKEN_LENGTH = 48;", "const TOKEN_LENGTH = 47;"],
  ),
  ...mutate("src/members/sign-in-links.ts", SIGN_IN, ["{48}$/", "{49}$/"]),
  ...mutate("src/keys/keys.ts", OPERATIONS, ["const KEYS_MAX = 100", "const KEYS_MAX = 99"]),
  ...mutate("src/limits/allowance.ts", OPERATIONS, [
    "PERSON_BURST_PER_SECOND = 20",
    "PERSON_BURST_PER_SECOND = 19",
  ]),
  ...mutate("src/members/session-cookie.ts", UNIT, ["{48}$/", "{48,}$/"]),
];
