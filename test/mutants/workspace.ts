import { type Mutant, mutate } from "./tool/mutant.ts";

const LIMITS = "test/unit/input-limits.test.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/workspace/workspace.schema.ts",
    LIMITS,
    ["MEMBERS_MAX = 1_000", "MEMBERS_MAX = 1_001"],
    ["MEMBERS_MAX = 1_000", "MEMBERS_MAX = 999"],
  ),
  ...mutate(
    "src/keys/keys.schema.ts",
    LIMITS,
    ["NAME_MAX_LENGTH = 200", "NAME_MAX_LENGTH = 201"],
    ["NAME_MAX_LENGTH = 200", "NAME_MAX_LENGTH = 199"],
    ["OVERLAP_MAX_HOURS = 24", "OVERLAP_MAX_HOURS = 25"],
    ["OVERLAP_MAX_HOURS = 24", "OVERLAP_MAX_HOURS = 23"],
    ["new Set(list).size === list.length", "true"],
  ),
  ...mutate(
    "src/audit/audit.schema.ts",
    LIMITS,
    ["PAGE_MAX = 100", "PAGE_MAX = 101"],
    ["PAGE_MAX = 100", "PAGE_MAX = 99"],
    ["NAME_MAX_LENGTH = 100", "NAME_MAX_LENGTH = 101"],
    ["NAME_MAX_LENGTH = 100", "NAME_MAX_LENGTH = 99"],
  ),
  ...mutate(
    "src/workspace/usage-report.ts",
    "test/worker/workspace.test.ts",
    ["const BYTES_DECIMALS = 2;", "const BYTES_DECIMALS = 3;"],
    ["const BYTES_DECIMALS = 2;", "const BYTES_DECIMALS = 1;"],
  ),
  ...mutate(
    "src/audit/audit.schema.ts",
    LIMITS,
    ["queryInteger(1, PAGE_MAX, 50)", "queryInteger(1, PAGE_MAX, 51)"],
    ["queryInteger(1, PAGE_MAX, 50)", "queryInteger(1, PAGE_MAX, 49)"],
  ),
];
