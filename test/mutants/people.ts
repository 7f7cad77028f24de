import { type Mutant, mutate } from "./tool/mutant.ts";

const UNIT = "test/unit/people.test.ts";
const SIGN_IN = "test/worker/people.test.ts";
const LOG = "test/worker/people-audit.test.ts";
const OPERATIONS = "test/worker/people-operations.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/people/session-times.ts",
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
    "src/people/session-cookie.ts",
    UNIT,
    ['HOST_PREFIX = "__Host-"', 'HOST_PREFIX = ""'],
    ['"HttpOnly",', ""],
    ['"SameSite=Lax",', '"SameSite=None",'],
    ['"Path=/",', ""],
    ['["Secure"] : []', "[] : []"],
    ['startsWith("https:")', 'startsWith("http")'],
    ["{48}$/", "{47,}$/"],
    ["part.startsWith(prefix)", "part.includes(prefix)"],
    ["formatCookie(token, SESSION_MAX_MS", "formatCookie(token, 2 * SESSION_MAX_MS"],
    ['formatCookie("", 0,', 'formatCookie("", 1,'],
  ),
  ...mutate(
    "src/people/roles.ts",
    UNIT,
    ['["domains:write"]', "[]"],
    ['scope.endsWith(":read")', "true"],
    ["owner: [ALL_SCOPES]", "owner: [...SCOPES]"],
    ['SCOPES.filter(isRead), "qr:render", "session"', 'SCOPES.filter(isRead), "session"'],
    ["ROLES.findLast", "ROLES.find"],
  ),
  ...mutate(
    "src/people/email.ts",
    UNIT,
    [".toLowerCase()", ""],
    [".trim()", ""],
    ["email.length <= EMAIL_MAX_LENGTH &&", ""],
    ["<= EMAIL_MAX_LENGTH", "< EMAIL_MAX_LENGTH"],
  ),
  ...mutate(
    "src/people/verify-session.ts",
    SIGN_IN,
    ["row.expires_at <= nowMs", "row.expires_at < nowMs"],
    ["row === null || row.expires_at <= nowMs", "row === null"],
    [" AND m.is_active = 1", ""],
    ["OR w.slug = ?2)", "OR TRUE)"],
  ),
  ...mutate(
    "src/people/sign-in-links.ts",
    SIGN_IN,
    [
      "directory.delete(signInLinks).where(eq(signInLinks.tokenHash, linkHash));",
      'directory.delete(signInLinks).where(eq(signInLinks.tokenHash, ""));',
    ],
    ["gt(signInLinks.expiresAt, nowMs)", "sql`true`"],
    ["eq(members.isActive, true),", ""],
  ),
  ...mutate(
    "src/people/start-session.ts",
    [SIGN_IN, LOG],
    ["sql`where ${condition}`", "sql`where true`"],
    ["and(isFormer, sql`exists", "and(sql`false`, sql`exists"],
    [", isRepeatable: true }", " }"],
  ),
  ...mutate(
    "src/people/sessions.ts",
    LOG,
    ["beginning === undefined", "beginning !== undefined"],
    ["id: memberId, name }", "id: name, name }"],
  ),
  ...mutate(
    "src/people/sessions.ts",
    OPERATIONS,
    ["and(eq(sessions.email, email), eq(sessions.id, id))", "eq(sessions.id, id)"],
    ["lte(sessions.expiresAt, nowMs)", "sql`true`"],
    ["delete(sessions).where(byId).returning(", "delete(sessions).where(sql`false`).returning("],
  ),
  ...mutate(
    "src/http/authenticate-person.ts",
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
    "src/auth/keys.ts",
    OPERATIONS,
    ["expiresAt <= nowMs) {", "expiresAt < 0) {"],
    ["const KEYS_MAX = 100", "const KEYS_MAX = 101"],
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
];
