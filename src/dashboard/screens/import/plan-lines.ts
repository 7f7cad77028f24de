// Pure: no I/O, clock or randomness.
import type { ImportRow, InvalidRow } from "../../../client/import/import-row.ts";
import type { PlannedRow } from "../../../client/import/plan-import.ts";
import type { RowResult } from "../../../client/import/run-import.ts";
import { formatCount } from "../../../core/format-count.ts";

/** Rows of an import as the screen lists them. */

/** Planned or actual result of a row, in the order of the totals. */
export const LINE_STATES = [
  "create",
  "created",
  "exists",
  "duplicate",
  "conflict",
  "faulty",
  "failed",
] as const;

export type LineState = (typeof LINE_STATES)[number];

/** Filter of the rows: one state, or all. */
export type LineFilter = LineState | "all";

/** Row of the file with its planned or actual result. */
export interface PlanLine {
  /** Index of the row in the file. */
  index: number;
  /** Line of the file on which the row begins. */
  line: number;
  state: LineState;
  /** Short code. Null for a row that can't be read as a link. */
  code: string | null;
  /** Null for a row that can't be read as a link. */
  destination: string | null;
  title: string | null;
  formerUrl: string | null;
  /** Short URL of the existing or created link, or null. */
  shortUrl: string | null;
  /** Reason why the row doesn't create a new link, or an empty string. */
  reason: string;
  /** Adjustments made during import. */
  notes: readonly string[];
}

/** Results by row index. Rows that weren't tried have none. */
export type Results = readonly (RowResult | undefined)[];

/** Returns the state of a row. A row that the import didn't reach has its planned state. */
export function judgeLine(planned: PlannedRow, result: RowResult | undefined): LineState {
  return result === undefined || result.state === "left" ? planned.state : result.state;
}

/** Number of rows in each state. */
export type Totals = Readonly<Record<LineState, number>>;

/** Counts rows by state. */
export function countStates(rows: readonly PlannedRow[], results: Results): Totals {
  const totals = { create: 0, created: 0, exists: 0, duplicate: 0, conflict: 0, faulty: 0, failed: 0 };
  for (const [index, planned] of rows.entries()) totals[judgeLine(planned, results[index])]++;
  return totals;
}

/** Lists the filters to offer: all rows, each state that occurs, and the current filter. */
export function listFilters(totals: Totals, shown: LineFilter): { filter: LineFilter; count: number }[] {
  const states = LINE_STATES.map((state) => ({ filter: state, count: totals[state] }));
  const all = states.reduce((sum, { count }) => sum + count, 0);
  return [
    { filter: "all", count: all },
    ...states.filter(({ filter, count }) => count > 0 || filter === shown),
  ];
}

/** States of rows that the import can't create as they are. */
const PROBLEMS: readonly LineState[] = ["faulty", "failed", "conflict"];

/** Returns the first `max` rows that match a filter, beginning with those that have problems. */
export function pickLines(
  rows: readonly PlannedRow[],
  results: Results,
  filter: LineFilter,
  max: number,
): PlanLine[] {
  const picked: PlanLine[] = [];
  for (const areProblems of [true, false]) {
    for (const [index, planned] of rows.entries()) {
      if (picked.length >= max) return picked;
      const state = judgeLine(planned, results[index]);
      if (PROBLEMS.includes(state) === areProblems && (filter === "all" || state === filter))
        picked.push(describeLine(index, planned, state, results[index]));
    }
  }
  return picked;
}

function describeLine(
  index: number,
  planned: PlannedRow,
  state: LineState,
  result: RowResult | undefined,
): PlanLine {
  const { row } = planned;
  const settled = result?.state === "left" ? undefined : result;
  const link = readLink(row);
  return {
    index,
    line: row.line,
    state,
    code: settled?.code ?? ("code" in planned ? planned.code : null),
    destination: link?.url ?? link?.destination ?? null,
    title: link?.title ?? null,
    formerUrl: row.formerUrl,
    shortUrl: settled?.shortUrl ?? ("existing" in planned ? planned.existing.short_url : null),
    reason: settled?.reason ?? ("reason" in planned && settled === undefined ? planned.reason : ""),
    notes: settled?.notes ?? ("notes" in planned ? planned.notes : []),
  };
}

function readLink(row: ImportRow | InvalidRow): ImportRow["link"] | null {
  return "link" in row ? row.link : null;
}

/** Describes a plan in one sentence for screen readers. */
export function describeTotals({ create, exists, duplicate, conflict, faulty }: Totals): string {
  const parts = [
    [create, "to create", "to create"],
    [exists, "already exists", "already exist"],
    [duplicate, "duplicate", "duplicates"],
    [conflict, "with a conflict", "with conflicts"],
    [faulty, "invalid", "invalid"],
  ] as const;
  const shown = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => formatCount(count, one, many));
  return shown.length === 0 ? "The file has no rows" : `Plan: ${shown.join(", ")}`;
}
