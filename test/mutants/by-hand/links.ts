import { type Mutant, mutate } from "../by-hand.ts";

export const mutants: Mutant[] = [
  ...mutate(
    "src/links/links.ts",
    "worker/links",
    ["if (attempt === CODE_ATTEMPTS_MAX) throw error;", "if (attempt > 0) throw error;"],
    ["input.created_at > tenant.nowMs", "false"],
    ["custom_slug ?? generateShortCode()", "generateShortCode()"],
    ["codeKey: toCodeKey(shortCode),", "codeKey: shortCode,"],
    ["    throw planError;", ""],
  ),
  ...mutate(
    "src/links/link-writes.ts",
    "worker/bulk",
    ['limit ${selectRemainingUsage(tenant, "links")}', ""],
    ["+ item.key`", "`"],
    ['takeUsage(tenant, "links", insertedCount)', 'takeUsage(tenant, "links", rows.length)'],
    ["not ${isCodeTaken(tenant, shortCode, id)} and ", ""],
  ),
  ...mutate(
    "src/links/link-writes.ts",
    "worker/links",
    ["max(${nowMs}, ${links.updatedAt} + 1)", "${nowMs}"],
    ['releaseUsage(tenant, "dynamic_qr", renderedCount),', ""],
    ["coalesce((${last}), 0)) + 1", "coalesce((${last}), 0))"],
  ),
  ...mutate("src/links/scan-counts.ts", "worker/scans", [
    "return formatBatches(tallyByLink(slices)).flatMap",
    "return formatBatches(tallyByLink(slices)).slice(0, 1).flatMap",
  ]),
];
