// Pure: no I/O, clock or randomness.
import type { Condition, FormRule, ListField, RuleAction } from "./rule-draft.ts";

/** Templates for new rules, conditions and splits. */

export interface RuleTemplate {
  name: string;
  conditions: readonly Condition[];
  isSplit?: true;
}

/** Templates in display order. The user has to fill in conditions without values. */
export const RULE_TEMPLATES: readonly RuleTemplate[] = [
  { name: "iPhone", conditions: buildAppleDevice("mobile") },
  { name: "iPad", conditions: buildAppleDevice("tablet") },
  { name: "Android", conditions: [{ field: "os", values: ["android"] }] },
  { name: "Country", conditions: [{ field: "country", values: [] }] },
  { name: "Language", conditions: [{ field: "language", values: [] }] },
  {
    name: "Schedule",
    conditions: [
      { field: "after", at: "" },
      { field: "before", at: "" },
    ],
  },
  { name: "A/B split", conditions: [], isSplit: true },
  { name: "Custom", conditions: [] },
];

/** Returns the conditions of iPhones or iPads, which share an operating system. */
function buildAppleDevice(device: "mobile" | "tablet"): Condition[] {
  return [
    { field: "os", values: ["ios"] },
    { field: "device", values: [device] },
  ];
}

/** Conditions that can be added to a rule, with their labels. */
export const CONDITION_NAMES: readonly { field: Condition["field"]; label: string }[] = [
  { field: "country", label: "Country" },
  { field: "region", label: "Region" },
  { field: "continent", label: "Continent" },
  { field: "language", label: "Language" },
  { field: "device", label: "Device" },
  { field: "os", label: "Operating system" },
  { field: "browser", label: "Browser" },
  { field: "query", label: "Query parameter" },
  { field: "after", label: "From date and time" },
  { field: "before", label: "Until date and time" },
  { field: "percent", label: "Percentage of visitors" },
];

/** Creates a rule from a template. A split starts with the link's own destination as its first half. */
export function buildRule({ conditions, isSplit }: RuleTemplate, key: string, destination: string): FormRule {
  const action: RuleAction = isSplit ? buildSplit(destination) : { kind: "send", destination: "" };
  return { kind: "form", key, name: "", conditions, action };
}

/** Creates a split into two halves. */
export function buildSplit(destination: string): RuleAction {
  return {
    kind: "split",
    shares: [
      { name: "A", destination, percent: "50" },
      { name: "B", destination: "", percent: "50" },
    ],
  };
}

/** Creates an empty condition. */
export function buildCondition(field: Condition["field"]): Condition {
  if (field === "query") return { field, name: "", values: [] };
  if (field === "after" || field === "before") return { field, at: "" };
  if (field === "percent") return { field, percent: "10" };
  return { field: field satisfies ListField, values: [] };
}

/**
 * Returns the conditions that can still be added to a rule. Each can be used once, except query parameters.
 */
export function listFreeConditions(conditions: readonly Condition[]): typeof CONDITION_NAMES {
  const taken = new Set(conditions.map(({ field }) => field));
  return CONDITION_NAMES.filter(({ field }) => field === "query" || !taken.has(field));
}

/** Divides 100 percent evenly. The first variants get the remainder. */
export function shareEvenly(count: number): string[] {
  const each = Math.floor(100 / count);
  return Array.from({ length: count }, (_, index) => String(each + (index < 100 % count ? 1 : 0)));
}
