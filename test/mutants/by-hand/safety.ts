import { type Mutant, mutate } from "../by-hand.ts";

/** Conditions that stop banned links, suspended workspaces and blocked destinations. */
export const mutants: Mutant[] = [
  ...mutate("src/assets/file-owner.ts", "worker/safety", [
    "owner ?? (await findOwner(env, file.id))",
    "owner",
  ]),
  ...mutate("src/bio/public.ts", "worker/safety", ["renderPage(hideBlockedLinks(page)", "renderPage(page"]),
  ...mutate(
    "src/links/link-writes.ts",
    "worker/safety",
    ["blockedNames: readBlocked(blocked),", "blockedNames: new Set(),"],
    ["${links.workspaceId} = ${workspaceId} and ${links.bannedAt}", "${links.bannedAt}"],
  ),
];
