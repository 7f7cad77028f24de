import { type Mutant, mutate } from "../by-hand.ts";

const BIO_LIVE = "test/unit/bio-live.test.ts";
const BIO_COLOUR = "test/unit/bio-colour.test.ts";
const BIO = "test/worker/bio.test.ts";
const BOUNDS = "test/worker/bounds.test.ts";
const ERASURE = "test/worker/erasure.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/bio/live.ts", BIO_LIVE, ['"heading" || !', '"heading" && !']),
  ...mutate("src/bio/palette.ts", BIO_COLOUR, [
    "getContrastRatio(text, ground) >= TEXT_CONTRAST_MIN",
    "getContrastRatio(text, ground) >= 4.4",
  ]),
  ...mutate(
    "src/bio/public.ts",
    BIO,
    ['page.pageData.seo?.noindex === true ? { "X-Robots-Tag": "noindex" } : {}', "{}"],
    ['request.method === "HEAD" ? null : html', "html"],
  ),
  ...mutate("src/bio/slug.ts", BOUNDS, ['base === "" ? suffix : ', ""]),
  ...mutate("src/bio/page-counts.ts", BIO, [
    "return formatBatches(tallyByPage(slices)).flatMap",
    "return formatBatches(tallyByPage(slices)).slice(0, 1).flatMap",
  ]),
  ...mutate("src/bio/page-removal.ts", ERASURE, ["return erased.length;", "return 0;"]),
];
