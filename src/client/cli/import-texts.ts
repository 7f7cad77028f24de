import { formatCount } from "../../core/format-count.ts";
import { CALL_ITEMS_MAX } from "../import/import-target.ts";
import { getDestination, type ImportPlan, type PlannedRow, type PlanState } from "../import/plan-import.ts";
import type { ImportSummary } from "../import/run-import.ts";
import type { components } from "../schema.d.ts";
import type { Column } from "./table.ts";

/** Texts that the import commands show. Pure. */

/** Row of a plan as shown. */
export interface ShownRow {
  line: number;
  state: PlanState;
  code: string | null;
  destination: string | null;
  former_url: string | null;
  reason: string | null;
  notes: readonly string[];
}

const STATE_LABELS: Readonly<Record<PlanState, string>> = {
  create: "create",
  exists: "already exists",
  duplicate: "duplicate",
  conflict: "conflict",
  faulty: "invalid",
};

/** Columns of the table that shows a plan. */
export const PLAN_COLUMNS: readonly Column<ShownRow>[] = [
  { title: "Line", format: ({ line }) => String(line), isNumber: true },
  { title: "Plan", format: ({ state }) => STATE_LABELS[state] },
  { title: "Short code", format: ({ code }) => code ?? "" },
  { title: "Destination", format: ({ destination }) => destination ?? "", isFlexible: true },
  {
    title: "Notes",
    format: ({ reason, notes }) => [reason, ...notes].filter(Boolean).join("; "),
    isFlexible: true,
  },
];

/** Converts a row of a plan to the form in which it is shown. */
export function presentPlanned(planned: PlannedRow): ShownRow {
  const { row, state } = planned;
  return {
    line: row.line,
    state,
    code: "code" in planned ? planned.code : null,
    destination: "link" in row ? getDestination(row.link) : null,
    former_url: row.formerUrl,
    reason: "reason" in planned ? planned.reason : null,
    notes: "notes" in planned ? planned.notes : "notes" in row ? row.notes : [],
  };
}

/** Returns the first rows of each state. Rows for which links are created come first. */
export function selectShown(plan: ImportPlan, perState: number): ShownRow[] {
  const states = Object.keys(STATE_LABELS) as PlanState[];
  return states.flatMap((state) =>
    plan.rows
      .filter((planned) => planned.state === state)
      .slice(0, perState)
      .map(presentPlanned),
  );
}

const PLAN_STATES = ["exists", "duplicate", "conflict", "faulty"] as const;
const RESULT_STATES = [...PLAN_STATES, "failed", "left"] as const;
/** Labels shown after the number of rows in each state, in the singular and the plural. */
const COUNT_LABELS: Readonly<Record<(typeof RESULT_STATES)[number], readonly [one: string, many: string]>> = {
  exists: ["already exists", "already exist"],
  duplicate: ["duplicate", "duplicates"],
  conflict: ["conflict", "conflicts"],
  faulty: ["invalid", "invalid"],
  failed: ["failed", "failed"],
  left: ["not attempted", "not attempted"],
};

/** Summarises a plan in one sentence. */
export function describePlan({ counts }: ImportPlan): string {
  const others = PLAN_STATES.map((state) => formatCount(counts[state], ...COUNT_LABELS[state]));
  return [`${formatCount(counts.create, "link")} to create`, ...others].join(", ");
}

/** Summarises an import in one sentence. */
export function describeSummary({ counts }: ImportSummary): string {
  const others = RESULT_STATES.filter((state) => counts[state] > 0).map((state) =>
    formatCount(counts[state], ...COUNT_LABELS[state]),
  );
  return [`${formatCount(counts.created, "link")} created`, ...others].join(", ");
}

/** Returns warnings about limits and missing features of the workspace's plan. */
export function listPlanWarnings(
  plan: ImportPlan,
  { usage, limits, features }: components["schemas"]["Usage"],
): string[] {
  const warnings: string[] = [];
  const linksLeft = Math.max(0, limits.links_per_month - usage.links_created_this_month);
  if (plan.counts.create > linksLeft)
    warnings.push(
      `the plan allows ${formatCount(linksLeft, "link")} more this month; the import will stop there, and you can continue next month`,
    );
  const calls = Math.ceil(plan.counts.create / CALL_ITEMS_MAX);
  const callsLeft = Math.max(0, limits.api_calls_per_month - usage.api_calls_this_month);
  if (calls > callsLeft)
    warnings.push(
      `the import needs ${formatCount(calls, "API call")}, but only ${callsLeft} ${callsLeft === 1 ? "is" : "are"} left this month`,
    );
  if (plan.counts.create > 0 && !features.bulk_ops)
    warnings.push("the plan does not include bulk operations, which imports require");
  const ruled = plan.rows.filter(
    (planned) =>
      planned.state === "create" && planned.link.routing_rules?.some(({ when }) => when !== undefined),
  ).length;
  if (ruled > 0 && !features.routing_rules)
    warnings.push(
      `the plan does not include routing rules, so ${formatCount(ruled, "link")} with rules will fail`,
    );
  return warnings;
}
