import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate("src/auth/authorization.ts", ["test/unit/authorization.test.ts"],
    ["([A-Za-z0-9]{8", "([A-Za-z0-10]{8"],
    ["([A-Za-z0-9]{8", "([A-Za-z0-8]{8"],
    ["(match === null)", "(false)"],
    ["(header !== undefined)", "(false)"],
  ),
  ...mutate("src/auth/key.ts", ["test/unit/key.test.ts"],
    ["PREFIX_LENGTH = 8", "PREFIX_LENGTH = 9"],
    ["PREFIX_LENGTH = 8", "PREFIX_LENGTH = 7"],
    ["SECRET_LENGTH = 64", "SECRET_LENGTH = 65"],
    ["SECRET_LENGTH = 64", "SECRET_LENGTH = 63"],
    ["ALL_SCOPES) ||", "ALL_SCOPES) &&"],
  ),
];
