import { type Mutant, mutate } from "../by-hand.ts";

const SAFETY = "test/worker/safety.test.ts";
const TARGET = "test/unit/target.test.ts";

/** Conditions that stop banned links, suspended workspaces and blocked destinations. */
export const mutants: Mutant[] = [
  ...mutate(
    "src/resolving/outcome.ts",
    TARGET,
    ["if (bannedAt !== null) return BANNED;", ""],
    ["if (location === false) return BANNED;", ""],
    ["if (address === false) return BANNED;", ""],
  ),
  ...mutate("src/resolving/outcome.ts", SAFETY, [
    ' || outcome.status === "banned") return outcome;',
    ") return outcome;",
  ]),
  ...mutate(
    "src/resolving/resolve.ts",
    SAFETY,
    ["    if (host.isSuspended) return SUSPENDED;\n", ""],
    ["if (host.value.isSuspended) return SUSPENDED;", ""],
  ),
  ...mutate("src/redirect/redirect.ts", SAFETY, [
    'if (host?.isSuspended) return this.respondWithError("banned", headers, host);',
    "",
  ]),
  ...mutate("src/http/operation.ts", SAFETY, [
    "if (c.var.workspace.suspendedAt !== null) throw",
    "if (false) throw",
  ]),
  ...mutate("src/assets/upload.ts", SAFETY, ["if (location.isSuspended) throw", "if (false) throw"]),
  ...mutate("src/assets/file-owner.ts", SAFETY, ["owner ?? (await findOwner(env, file.id))", "owner"]),
  ...mutate("src/assets/cdn.ts", SAFETY, ["if (!isStopped) return response;", "return response;"]),
  ...mutate(
    "src/bio/public.ts",
    SAFETY,
    ["if (claim?.suspendedAt != null) return SUSPENDED;", ""],
    ["renderPage(hideBlockedLinks(page)", "renderPage(page"],
  ),
  ...mutate(
    "src/bio/published-page.ts",
    SAFETY,
    ["hasHosts === 1", "true"],
    ["socials.filter(({ url }) => !isBlocked(url))", "socials"],
  ),
  ...mutate("src/resolving/host-read.ts", SAFETY, [
    " || findBlockedName(blockedNames, url) !== undefined",
    "",
  ]),
  ...mutate("src/links/link-writes.ts", SAFETY, [
    "blockedNames: readBlocked(blocked),",
    "blockedNames: new Set(),",
  ]),
  ...mutate("src/links/link-writes.ts", SAFETY, [
    "${links.workspaceId} = ${workspaceId} and ${links.bannedAt}",
    "${links.bannedAt}",
  ]),
  ...mutate("src/links/link-history.ts", SAFETY, ["if (banned_at !== undefined)", "if (false)"]),
  ...mutate("src/safety/host-names.ts", TARGET, ['if (name.includes(".")) names.push(name);', ""]),
];
