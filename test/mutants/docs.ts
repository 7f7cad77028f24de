import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/docs/literals.ts",
    "test/unit/request-code.test.ts",
    ["LINE_LENGTH = 56", "LINE_LENGTH = 57"],
    ["LINE_LENGTH = 56", "LINE_LENGTH = 55"],
    ["line.length <=", "line.length <"],
  ),
  ...mutate(
    "src/docs/request-code.ts",
    "test/unit/request-code.test.ts",
    ["SHORT_BODY_LENGTH = 40", "SHORT_BODY_LENGTH = 41"],
    ["SHORT_BODY_LENGTH = 40", "SHORT_BODY_LENGTH = 39"],
    ["short.length >", "short.length >="],
  ),
];
