import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate("src/bio/live.ts", "unit/bio-live", ['"heading" || !', '"heading" && !']),
  ...mutate("src/bio/palette.ts", "unit/bio-colour", [
    "getContrastRatio(text, ground) >= TEXT_CONTRAST_MIN",
    "getContrastRatio(text, ground) >= 4.4",
  ]),
  ...mutate("src/bio/page-counts.ts", "worker/bio", [
    "return formatBatches(tallyByPage(slices)).flatMap",
    "return formatBatches(tallyByPage(slices)).slice(0, 1).flatMap",
  ]),
  ...mutate("src/bio/page-removal.ts", "worker/erasure", ["return erased.length;", "return 0;"]),
];
