import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/workspace/workspace.schema.ts",
    "test/unit/input-limits.test.ts",
    ["MEMBERS_MAX = 1_000", "MEMBERS_MAX = 1_001"],
    ["MEMBERS_MAX = 1_000", "MEMBERS_MAX = 999"],
  ),
];
