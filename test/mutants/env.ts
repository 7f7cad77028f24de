import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/env.ts",
    "test/unit/env.test.ts",
    ["(settings === undefined)", "(false)"],
    ["(!accountId || !token)", "(false)"],
    ["(!accountId ||", "(!accountId &&"],
    ['vars.ALLOW_LOOPBACK === "true"', 'vars.ALLOW_LOOPBACK !== ""'],
  ),
];
