// Pure: no I/O, clock or randomness.
import type { ExistingLink } from "../../../client/import/import-target.ts";
import { getDestination, type ImportPlan } from "../../../client/import/plan-import.ts";
import type { RowResult } from "../../../client/import/run-import.ts";
import type { Results } from "./plan-lines.ts";

/** Combines the results of several runs of the same import. */

/**
 * Returns a row's result after another run. A link that an earlier run created stays `created`, although the
 * later run finds it as existing.
 */
export function mergeResult(before: RowResult | undefined, next: RowResult): RowResult {
  return before?.state === "created" ? before : next;
}

/** Returns the index of the row that a result belongs to, or undefined. Call it once per result. */
export type FindIndex = (result: Pick<RowResult, "line" | "formerUrl">) => number | undefined;

/**
 * Indexes rows by line and former URL. A link with several URLs has several rows with the same line. Rows
 * with equal keys are returned in the order of the file.
 */
export function createIndexFinder(rows: ImportPlan["rows"]): FindIndex {
  const indexes = new Map<string, number[]>();
  const toKey = (line: number, formerUrl: string | null) => `${line} ${formerUrl}`;
  for (const [index, { row }] of rows.entries()) {
    const key = toKey(row.line, row.formerUrl);
    const found = indexes.get(key);
    if (found === undefined) indexes.set(key, [index]);
    else found.push(index);
  }
  return ({ line, formerUrl }) => indexes.get(toKey(line, formerUrl))?.shift();
}

/** Returns the known codes after a run: the codes looked up before, and the links that the run created. */
export function learnCodes(plan: ImportPlan, results: Results): Map<string, readonly ExistingLink[]> {
  const known = new Map(plan.known);
  for (const [index, planned] of plan.rows.entries()) {
    const result = results[index];
    if (planned.state !== "create" || result?.state !== "created" || result.code === null) continue;
    const aliases = planned.link.aliases ?? [];
    const link = {
      id: "",
      short_code: aliases.length === 0 ? result.code : "",
      short_url: result.shortUrl ?? "",
      destination: getDestination(planned.link),
      aliases,
    };
    known.set(result.code, [link]);
  }
  return known;
}
