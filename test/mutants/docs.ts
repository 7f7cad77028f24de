import { type Mutant, mutate } from "./tool/mutant.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/docs/literals.ts",
    "test/unit/request-code.test.ts",
    ["LINE_LENGTH = 56", "LINE_LENGTH = 57", { unseen: "the layout of examples in the documentation" }],
    ["LINE_LENGTH = 56", "LINE_LENGTH = 55", { unseen: "the layout of examples in the documentation" }],
    ["line.length <=", "line.length <", { unseen: "the layout of examples in the documentation" }],
  ),
  ...mutate(
    "src/docs/request-code.ts",
    "test/unit/request-code.test.ts",
    [
      "SHORT_BODY_LENGTH = 40",
      "SHORT_BODY_LENGTH = 41",
      { unseen: "the layout of examples in the documentation" },
    ],
    [
      "SHORT_BODY_LENGTH = 40",
      "SHORT_BODY_LENGTH = 39",
      { unseen: "the layout of examples in the documentation" },
    ],
    ["short.length >", "short.length >=", { unseen: "the layout of examples in the documentation" }],
  ),
];
