import { type Mutant, mutate } from "./tool/mutant.ts";

const TOKEN_BUCKET = "test/unit/token-bucket.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/limits/token-bucket.ts",
    TOKEN_BUCKET,
    ["const isTaken = tokens >= 1;", "const isTaken = tokens > 1;"],
    ["Math.max(0, nowMs - bucket.atMs)", "nowMs - bucket.atMs"],
    ["Math.min(perSecond, bucket.tokens", "Math.min(2 * perSecond, bucket.tokens"],
    ["(elapsedMs * perSecond) / SECOND_MS", "(elapsedMs * perSecond) / 2_000"],
    ["isTaken ? tokens - 1 : tokens", "tokens - 1"],
    ["nowMs) >= perSecond", "nowMs) > perSecond"],
  ),
];
