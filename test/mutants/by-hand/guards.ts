import { type Mutant, mutate } from "../by-hand.ts";

const PASSWORD_HASH = "test/unit/password-hash.test.ts";
const PASSWORD_COOKIE = "test/unit/password-cookie.test.ts";
const SCAN_GATE = "test/worker/scan-gate.test.ts";
const PASSWORD_TRIES = "test/worker/password-tries.test.ts";
const LINK_GUARDS = "test/worker/link-guards.test.ts";
const RECENT_PASSWORDS = "test/unit/recent-passwords.test.ts";
const GUARD_FAILURES = "test/unit/guard-failures.test.ts";

/** Passwords, limits of scans and previews of links. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/core/password-hash.ts",
    PASSWORD_HASH,
    ['.normalize("NFC")', ""],
    ["return parseHash(stored).salt;", "return parseHash(stored).hash;"],
  ),
  ...mutate(
    "src/guards/password-cookie.ts",
    PASSWORD_COOKIE,
    ["[linkId, passwordVersion, expiresAt].join", "[linkId, passwordVersion].join"],
    ["[linkId, passwordVersion, expiresAt].join", "[linkId, expiresAt].join"],
    ["[linkId, passwordVersion, expiresAt].join", "[passwordVersion, expiresAt].join"],
    ["Path=${url.pathname}", "Path=/"],
    ['    "HttpOnly",', ""],
    ['"SameSite=Lax"', '"SameSite=None"'],
    ['url.protocol === "https:" ? ["Secure"] : []', "[]"],
    ["cookie.startsWith(`${name}=`)", "cookie.includes(`${name}=`)"],
  ),
  ...mutate(
    "src/guards/scan-gate.ts",
    SCAN_GATE,
    ["[visit.scanId, ...state.recent]", "[visit.scanId]"],
    ["if (isTaken || stored?.updatedAtMs !== state.updatedAtMs) storage", "if (isTaken) storage"],
    ["workspaceId, linkId, taken: scansCounted,", "workspaceId, linkId, taken: 0,"],
    ["      else await storage.setAlarm(Date.now() + CHECK_MS);", ""],
  ),
  ...mutate(
    "src/limits/password-tries.ts",
    PASSWORD_TRIES,
    ["group.slice(-max)", "group"],
    ["other.client === client", "true"],
    ["ofSite.length < RESERVED ? TOTAL_MAX : LINK_MAX", "LINK_MAX"],
    ["if (isRight) this.#store", "this.#store"],
    ["    for (const wake of this.#waiting) wake();", ""],
  ),
  ...mutate("src/guards/password-visit.ts", GUARD_FAILURES, [
    "visit.waitUntil(tries.settle(!isWrong));",
    "visit.waitUntil(tries.settle(true));",
  ]),
  ...mutate(
    "src/guards/recent-passwords.ts",
    RECENT_PASSWORDS,
    ["`${stored}\\n${password}`", "password"],
    ["`${stored}\\n${password}`", "stored"],
    [
      "if (!(await verifyPassword(password, stored))) return false;",
      "await verifyPassword(password, stored);",
    ],
    ["+ MEMORY_MS", "- MEMORY_MS"],
  ),
  ...mutate(
    "src/guards/foreign-form.ts",
    LINK_GUARDS,
    ['site !== "same-origin" && site !== "none"', 'site === "cross-site"'],
    ["new URL(origin).host === url.host", "true"],
  ),
  ...mutate(
    "src/guards/limited-visit.ts",
    GUARD_FAILURES,
    [", isNotOverloaded);", ");"],
    ["guards === null || guards.maxScans === null", "guards?.maxScans === null"],
  ),
  ...mutate("src/resolving/host-fallback.ts", GUARD_FAILURES, [
    "if (!(error instanceof UnknownLimitError)) logRecurringError",
    "logRecurringError",
  ]),
];
