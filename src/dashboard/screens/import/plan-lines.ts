/** Rows of an import as the screen lists them. */

/** What becomes of a row. The order is that of the totals. */
export const LINE_STATES = ["make", "made", "exists", "conflict", "skipped", "failed"] as const;

export type LineState = (typeof LINE_STATES)[number];

/** Row of the file, with what becomes of it. */
export interface PlanLine {
  /** Line of the file. */
  line: number;
  state: LineState;
  /** Short code that it asks for, or null if one is made up. */
  code: string | null;
  /** Null for a row that is no link. */
  destination: string | null;
  title: string | null;
  /** Why it is not made, or empty. */
  reason: string;
  /** What was changed so that it fits. */
  notes: readonly string[];
}

/** Choice of lines: those of a state, or all. */
export type LineFilter = LineState | "all";

/** Number of lines of each state. */
export type Totals = Readonly<Record<LineState, number>>;

/** Counts lines by state. */
export function countStates(lines: readonly Pick<PlanLine, "state">[]): Totals {
  const totals = Object.fromEntries(LINE_STATES.map((state) => [state, 0])) as Record<LineState, number>;
  for (const { state } of lines) totals[state]++;
  return totals;
}

/** Lists the filters that show something: all lines first, then each state that occurs. */
export function listFilters(totals: Totals): { filter: LineFilter; count: number }[] {
  const states = LINE_STATES.map((state) => ({ filter: state, count: totals[state] }));
  const all = states.reduce((sum, { count }) => sum + count, 0);
  return [{ filter: "all", count: all }, ...states.filter(({ count }) => count > 0)];
}

/** Returns up to `max` lines that fit a filter, from the first one. */
export function pickLines(lines: readonly PlanLine[], filter: LineFilter, max: number): PlanLine[] {
  const picked: PlanLine[] = [];
  for (const line of lines) {
    if (picked.length >= max) break;
    if (filter === "all" || line.state === filter) picked.push(line);
  }
  return picked;
}
