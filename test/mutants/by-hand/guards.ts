import { type Mutant, mutate } from "../by-hand.ts";

/** Passwords, limits of scans and previews of links. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/core/password-hash.ts",
    "unit/password-hash",
    ['.normalize("NFC")', ""],
    ["return parseHash(stored).salt;", "return parseHash(stored).hash;"],
  ),
  ...mutate(
    "src/guards/password-cookie.ts",
    "unit/password-cookie",
    ["[linkId, passwordVersion, expiresAt].join", "[linkId, passwordVersion].join"],
    ["[linkId, passwordVersion, expiresAt].join", "[linkId, expiresAt].join"],
    ["[linkId, passwordVersion, expiresAt].join", "[passwordVersion, expiresAt].join"],
    ["Path=${url.pathname}", "Path=/"],
    ['    "HttpOnly",', ""],
    ['"SameSite=Lax"', '"SameSite=None"'],
    ["cookie.startsWith(`${name}=`)", "cookie.includes(`${name}=`)"],
  ),
  ...mutate(
    "src/guards/scan-gate.ts",
    "worker/scan-gate",
    ["[visit.scanId, ...state.recent]", "[visit.scanId]"],
    ["workspaceId, linkId, taken: scansCounted,", "workspaceId, linkId, taken: 0,"],
    ["      else await storage.setAlarm(Date.now() + CHECK_MS);", ""],
  ),
  ...mutate("src/limits/password-tries.ts", "worker/password-tries", [
    "    for (const wake of this.#waiting) wake();",
    "",
  ]),
  ...mutate("src/guards/password-visit.ts", "unit/guard-failures", [
    "visit.waitUntil(tries.settle(!isWrong));",
    "visit.waitUntil(tries.settle(true));",
  ]),
  ...mutate(
    "src/guards/recent-passwords.ts",
    "unit/recent-passwords",
    ["`${stored}\\n${password}`", "password"],
    ["`${stored}\\n${password}`", "stored"],
    [
      "if (!(await verifyPassword(password, stored))) return false;",
      "await verifyPassword(password, stored);",
    ],
    ["+ MEMORY_MS", "- MEMORY_MS"],
  ),
  ...mutate("src/guards/foreign-form.ts", "worker/link-guards", [
    'site !== "same-origin" && site !== "none"',
    'site === "cross-site"',
  ]),
  ...mutate(
    "src/guards/limited-visit.ts",
    "unit/guard-failures",
    [", isNotOverloaded);", ");"],
    ["guards === null || guards.maxScans === null", "guards?.maxScans === null"],
  ),
];
