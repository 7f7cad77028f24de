import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/redirect/redirect.ts", "worker/redirect-in-memory", [
    'request.method !== "HEAD"',
    'request.method !== "PUT"',
  ]),
  ...mutate("src/resolving/outcome.ts", "unit/target", ["return isLimited && isUsedUp", "return isUsedUp"]),
  ...mutate(
    "src/limits/unknown-limit.ts",
    "unit/unknown-limit",
    ["this.#nowMs < (limitedUntil", "this.#nowMs <= (limitedUntil"],
    ["${describeClient(this.#headers)}", "client"],
    ["{ name: network, budget: NETWORK_SPARE },", ""],
  ),
  ...mutate(
    "src/change-feed/sweep-oldest.ts",
    "worker/sweep-rows",
    ["inArray(table.seq, oldest), isNotLast", "inArray(table.seq, oldest)"],
    ["changed_at < ${nowMs", "changed_at <= ${nowMs"],
  ),
];
