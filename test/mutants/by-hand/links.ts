import { type Mutant, mutate } from "../by-hand.ts";

const SEARCH_TERMS = "test/unit/search-terms.test.ts";
const LINKS = "test/worker/links.test.ts";
const BULK = "test/worker/bulk.test.ts";
const SCANS = "test/worker/scans.test.ts";

export const mutants: Mutant[] = [
  ...mutate("src/links/search-terms.ts", SEARCH_TERMS, ["Math.round(index", "Math.floor(index"]),
  ...mutate(
    "src/links/links.ts",
    LINKS,
    ["if (attempt === CODE_ATTEMPTS_MAX) throw error;", "if (attempt > 0) throw error;"],
    ["input.created_at > tenant.nowMs", "false"],
    ["custom_slug ?? generateShortCode()", "generateShortCode()"],
    ["codeKey: toCodeKey(shortCode),", "codeKey: shortCode,"],
    ["updatedAt: created_at === undefined ? createdAt : nowMs,", "updatedAt: createdAt,"],
    ["    throw planError;", ""],
  ),
  ...mutate(
    "src/links/link-writes.ts",
    BULK,
    ['limit ${selectRemainingUsage(tenant, "links")}', ""],
    ["+ item.key`", "`"],
    ['takeUsage(tenant, "links", insertedCount)', 'takeUsage(tenant, "links", rows.length)'],
    ["not ${isCodeTaken(tenant, shortCode, id)} and ", ""],
  ),
  ...mutate(
    "src/links/link-writes.ts",
    LINKS,
    ["max(${nowMs}, ${links.updatedAt} + 1)", "${nowMs}"],
    ['releaseUsage(tenant, "dynamic_qr", renderedCount),', ""],
    ["coalesce((${last}), 0)) + 1", "coalesce((${last}), 0))"],
  ),
  ...mutate("src/links/links.routes.ts", LINKS, ["if (nextBefore !== null) {", "if (false) {"]),
  ...mutate("src/links/scan-counts.ts", SCANS, [
    "return formatBatches(tallyByLink(slices)).flatMap",
    "return formatBatches(tallyByLink(slices)).slice(0, 1).flatMap",
  ]),
];
