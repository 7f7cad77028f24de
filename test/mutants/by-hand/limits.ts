import { type Mutant, mutate } from "../by-hand.ts";

const TOKEN_BUCKET = "test/unit/token-bucket.test.ts";
const LIMITER = "test/worker/limiter.test.ts";
const RATE_LIMIT = "test/unit/rate-limit.test.ts";
const COUNTED_CALL = "test/unit/counted-call.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/limits/token-bucket.ts", TOKEN_BUCKET, ["isTaken ? tokens - 1 : tokens", "tokens - 1"]),
  ...mutate(
    "src/limits/limiter.ts",
    LIMITER,
    ["Math.floor(bucket.tokens", "Math.ceil(bucket.tokens"],
    ["stored?.cycle === cycle ? stored", "stored !== undefined ? stored"],
    ["nowMs)) this.#buckets.delete(name);", "nowMs) || true) this.#buckets.delete(name);"],
    [
      "cycle === null ? recent.includes(callEnd) : cycle === count.cycle",
      "cycle === null || cycle === count.cycle",
    ],
  ),
  ...mutate("src/limits/allowance.ts", RATE_LIMIT, ["reset: resetMs / SECOND_MS", "reset: resetMs"]),
  ...mutate(
    "src/limits/counted-call.ts",
    COUNTED_CALL,
    ["this.verdict.catch(() => {});", "this.verdict.then((value) => value).finally(() => {});"],
    ["await this.verdict.catch(()", "await this.verdict.then((value) => value).finally(()"],
  ),
];
