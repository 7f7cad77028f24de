import { type Mutant, mutate } from "../by-hand.ts";

const REDIRECT_IN_MEMORY = "test/worker/redirect-in-memory.test.ts";
const TARGET = "test/unit/target.test.ts";
const UNKNOWN_LIMIT = "test/unit/unknown-limit.test.ts";
const SWEEP_ROWS = "test/worker/sweep-rows.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/redirect/redirect.ts", REDIRECT_IN_MEMORY, [
    'request.method !== "HEAD"',
    'request.method !== "PUT"',
  ]),
  ...mutate("src/resolving/outcome.ts", TARGET, ["return isLimited && isUsedUp", "return isUsedUp"]),
  ...mutate(
    "src/limits/unknown-limit.ts",
    UNKNOWN_LIMIT,
    ["this.#nowMs < (limitedUntil", "this.#nowMs <= (limitedUntil"],
    ["${describeClient(this.#headers)}", "client"],
    ["{ name: network, budget: NETWORK_SPARE },", ""],
    ["|| this.#taken.length > 0", ""],
  ),
  ...mutate(
    "src/change-feed/sweep-oldest.ts",
    SWEEP_ROWS,
    ["inArray(table.seq, oldest), isNotLast", "inArray(table.seq, oldest)"],
    ["changed_at < ${nowMs", "changed_at <= ${nowMs"],
  ),
];
