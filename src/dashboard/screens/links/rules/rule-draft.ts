// Pure: no I/O, clock or randomness.

/** Form state of routing rules, and its conversion from and to request bodies. */

/** Rule in requests and responses. */
export interface RuleBody {
  name?: string | undefined;
  when?: Readonly<Record<string, unknown>> | undefined;
  destination?: string | undefined;
  block?: true | undefined;
  split?: readonly { name?: string | undefined; destination: string; percent: number }[] | undefined;
}

/** Conditions with a list of values. They match if any value matches. */
export const LIST_FIELDS = ["country", "continent", "region", "language", "device", "os", "browser"] as const;
export type ListField = (typeof LIST_FIELDS)[number];

/** Condition of a rule in the form. */
export type Condition =
  | { field: ListField; values: readonly string[] }
  /** Matches if the parameter has one of the values. Without values, any value matches. */
  | { field: "query"; name: string; values: readonly string[] }
  /** ISO 8601, or an empty string. */
  | { field: "after" | "before"; at: string }
  | { field: "percent"; percent: string };

/** Destination of a split, with its percentage of visitors. */
export interface ShareDraft {
  name: string;
  destination: string;
  percent: string;
}

/** Action of a rule for visitors who match. */
export type RuleAction =
  | { kind: "send"; destination: string }
  | { kind: "block" }
  | { kind: "split"; shares: readonly ShareDraft[] };

/** Rule that is edited in form fields. */
export interface FormRule {
  kind: "form";
  /** Identifies the rule while it is edited. */
  key: string;
  name: string;
  conditions: readonly Condition[];
  action: RuleAction;
}

/**
 * Rule that is edited as JSON, because the form doesn't support all of its parts or the user prefers JSON.
 */
export interface JsonRule {
  kind: "json";
  key: string;
  text: string;
}

export type RuleDraft = FormRule | JsonRule;

/**
 * Converts the rules of a link to their form state. Rules that the form doesn't fully support become JSON.
 */
export function toRuleDrafts(rules: readonly RuleBody[]): RuleDraft[] {
  return rules.map((rule, index) => readRule(rule, `rule-${index}`) ?? toJsonRule(rule, `rule-${index}`));
}

/** Converts a rule to its JSON form state. */
export function toJsonRule(rule: unknown, key: string): JsonRule {
  return { kind: "json", key, text: JSON.stringify(rule, null, 2) };
}

/** Converts a JSON rule to form fields. Returns null if that would lose parts of it. */
export function toFormRule({ key, text }: JsonRule): FormRule | null {
  const rule = parseRule(text);
  return "fault" in rule ? null : readRule(rule.body, key);
}

/** Parses the JSON of a rule. Returns the error message if it isn't a JSON object. */
export function parseRule(text: string): { body: RuleBody } | { fault: string } {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) ? { body } : { fault: "A rule must be a JSON object: { … }." };
  } catch (error) {
    return { fault: `Invalid JSON: ${error instanceof Error ? error.message : "it can't be parsed"}.` };
  }
}

/**
 * Converts a rule to its request body. Invalid JSON becomes an empty object; {@link parseRule} reports it.
 */
export function toRuleBody(rule: RuleDraft): RuleBody {
  if (rule.kind === "json") {
    const parsed = parseRule(rule.text);
    return "fault" in parsed ? {} : parsed.body;
  }
  const { name, conditions, action } = rule;
  const when = Object.assign({}, ...conditions.filter(({ field }) => field !== "query").map(writeCondition));
  const parameters = conditions.filter((condition) => condition.field === "query");
  const query = parameters.map(({ name, values }) => [name, values.length === 0 ? true : values]);
  return {
    ...(name.trim() !== "" && { name: name.trim() }),
    when: { ...when, ...(query.length > 0 && { query: Object.fromEntries(query) }) },
    ...writeAction(action),
  };
}

/** Adds `https://` to a URL without a scheme, such as `example.com/a`. */
export function addScheme(address: string): string {
  const isBare = /^[^\s/:?#]+\.[^\s/:?#]+(?:[/?#:]|$)/.test(address);
  return isBare ? `https://${address}` : address;
}

/** Converts typed text to a number. Other text is returned as it is, so that the API reports an error. */
export function toNumber(typed: string): number {
  const number = Number(typed);
  return typed.trim() === "" || Number.isNaN(number) ? (typed as never) : number;
}

function writeCondition(condition: Condition): Record<string, unknown> {
  // A condition without a time is left out, so the period has no limit on that side.
  if ("at" in condition) return condition.at === "" ? {} : { [condition.field]: condition.at };
  if ("percent" in condition) return { percent: toNumber(condition.percent) };
  return { [condition.field]: condition.values };
}

function writeAction(action: RuleAction): RuleBody {
  if (action.kind === "block") return { block: true };
  if (action.kind === "send") return { destination: addScheme(action.destination.trim()) };
  const split = action.shares.map(({ name, destination, percent }) => ({
    ...(name.trim() !== "" && { name: name.trim() }),
    destination: addScheme(destination.trim()),
    percent: toNumber(percent),
  }));
  return { split };
}

/** Converts a rule to form fields, or returns null if that would lose parts of it. */
function readRule(rule: RuleBody, key: string): FormRule | null {
  const { name = "", when = {}, destination, block, split, ...others } = rule;
  const action = readAction(destination, block, split);
  if (typeof name !== "string" || Object.keys(others).length > 0 || action === null || !isObject(when))
    return null;
  const conditions: Condition[] = [];
  for (const [field, value] of Object.entries(when)) {
    const read = readCondition(field, value);
    if (read === null) return null;
    conditions.push(...read);
  }
  return { kind: "form", key, name, conditions, action };
}

function readAction(destination: unknown, block: unknown, split: unknown): RuleAction | null {
  const kinds = [destination, block, split].filter((value) => value !== undefined).length;
  if (kinds !== 1) return null;
  if (typeof destination === "string") return { kind: "send", destination };
  if (block === true) return { kind: "block" };
  if (!Array.isArray(split)) return null;
  const shares: ShareDraft[] = [];
  for (const share of split as unknown[]) {
    if (!isObject(share)) return null;
    const { name = "", destination, percent, ...others } = share;
    if (typeof name !== "string" || typeof destination !== "string" || typeof percent !== "number")
      return null;
    if (Object.keys(others).length > 0) return null;
    shares.push({ name, destination, percent: String(percent) });
  }
  return { kind: "split", shares };
}

function readCondition(field: string, value: unknown): Condition[] | null {
  const listField = LIST_FIELDS.find((name) => name === field);
  if (listField !== undefined) return isTexts(value) ? [{ field: listField, values: value }] : null;
  if (field === "after" || field === "before")
    return typeof value === "string" ? [{ field, at: value }] : null;
  if (field === "percent") return typeof value === "number" ? [{ field, percent: String(value) }] : null;
  return field === "query" && isObject(value) ? readQuery(value) : null;
}

function readQuery(query: Record<string, unknown>): Condition[] | null {
  const conditions: Condition[] = [];
  for (const [name, values] of Object.entries(query)) {
    // The form would show an empty list as "any value", so such a rule is edited as JSON.
    if (values !== true && !(isTexts(values) && values.length > 0)) return null;
    conditions.push({ field: "query", name, values: values === true ? [] : values });
  }
  return conditions;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string");
}
