import type { ExistingLink } from "../../../client/import/import-target.ts";
import type { ImportPlan } from "../../../client/import/plan-import.ts";
import type { RowResult } from "../../../client/import/run-import.ts";
import { toCodeKey } from "../../../routing/short-code.ts";
import type { Results } from "./plan-lines.ts";

/** Results of an import that is continued. */

/** Returns the result of a row after another run. A link that was made before is still one that was made. */
export function mergeResult(before: RowResult | undefined, next: RowResult): RowResult {
  return before?.state === "created" ? before : next;
}

/** Returns what is known of codes after a run: the links that it has made are there. */
export function learnCodes(plan: ImportPlan, results: Results): Map<string, ExistingLink | null> {
  const known = new Map(plan.known);
  for (const [index, planned] of plan.rows.entries()) {
    const result = results[index];
    if (planned.state !== "create" || result?.state !== "created" || result.code === null) continue;
    const { url, destination } = planned.link;
    known.set(toCodeKey(result.code), {
      id: "",
      short_code: result.code,
      short_url: result.shortUrl ?? "",
      destination: url ?? destination ?? "",
    });
  }
  return known;
}
