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

/** Returns the place of the row that a result is about. Each row is asked for once. */
export type FindPlace = (result: Pick<RowResult, "line" | "formerUrl">) => number | undefined;

/** Finds rows by their line and former address: a link with several addresses has rows with the same line. */
export function createPlaces(rows: ImportPlan["rows"]): FindPlace {
  const places = new Map<string, number[]>();
  const toKey = (line: number, formerUrl: string | null) => `${line} ${formerUrl}`;
  for (const [index, { row }] of rows.entries()) {
    const key = toKey(row.line, row.formerUrl);
    const found = places.get(key);
    if (found === undefined) places.set(key, [index]);
    else found.push(index);
  }
  return ({ line, formerUrl }) => places.get(toKey(line, formerUrl))?.shift();
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
