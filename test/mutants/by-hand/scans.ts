import { type Mutant, mutate } from "../by-hand.ts";

const SCANS = "test/unit/scans.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/scans/dimensions.ts", SCANS, [": [Math.floor(", ": [Math.ceil("]),
];
