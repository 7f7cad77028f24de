import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/limits/token-bucket.ts", "unit/token-bucket", [
    "isTaken ? tokens - 1 : tokens",
    "tokens - 1",
  ]),
  ...mutate(
    "src/limits/limiter.ts",
    "worker/limiter",
    ["Math.floor(bucket.tokens", "Math.ceil(bucket.tokens"],
    ["stored?.cycle === cycle ? stored", "stored !== undefined ? stored"],
    ["nowMs)) this.#buckets.delete(name);", "nowMs) || true) this.#buckets.delete(name);"],
    [
      "cycle === null ? recent.includes(callEnd) : cycle === count.cycle",
      "cycle === null || cycle === count.cycle",
    ],
  ),
  ...mutate("src/limits/allowance.ts", "unit/rate-limit", ["reset: resetMs / SECOND_MS", "reset: resetMs"]),
  ...mutate(
    "src/limits/counted-call.ts",
    "unit/counted-call",
    ["this.verdict.catch(() => {});", "this.verdict.then((value) => value).finally(() => {});"],
    ["await this.verdict.catch(()", "await this.verdict.then((value) => value).finally(()"],
  ),
];
