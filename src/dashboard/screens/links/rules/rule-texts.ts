// Pure: no I/O, clock or randomness.
import { shortenAddress } from "../../../data/link-state.ts";
import {
  type Condition,
  type ListField,
  parseRule,
  type RuleAction,
  type RuleBody,
  type RuleDraft,
  toFormRule,
  toRuleDrafts,
} from "./rule-draft.ts";
import { nameValue } from "./rule-values.ts";

/** Describes rules as sentences. */

/** Part of a sentence. Values that the user chose are emphasised. */
export interface Span {
  text: string;
  isChosen?: boolean;
}

/** Sentence about a rule: which visitors match, and where they go. */
export interface RuleSentence {
  who: Span[];
  where: Span[];
}

const STARTS: Record<ListField, string> = {
  country: "is in",
  continent: "is in",
  region: "is in the region",
  language: "prefers",
  device: "is on a",
  os: "uses",
  browser: "uses",
};
const VALUES_SHOWN = 4;

/** Describes a rule. JSON that the form doesn't support is quoted in part. */
export function describeRule(rule: RuleDraft, timeZone?: string): RuleSentence {
  const form = rule.kind === "json" ? toFormRule(rule) : rule;
  if (form === null) return describeText(rule.kind === "json" ? rule.text : "");
  const { conditions, action } = form;
  const device = findAppleDevice(conditions);
  const others =
    device === null ? conditions : conditions.filter(({ field }) => field !== "os" && field !== "device");
  const parts = [
    ...(device === null ? [] : [choose("uses an ", device)]),
    ...others.map((condition) => describeCondition(condition, timeZone)),
  ];
  const who: Span[] = parts.flatMap((part, index) => (index === 0 ? part : [{ text: " and " }, ...part]));
  return {
    who: who.length === 0 ? [] : [{ text: "If the visitor " }, ...who],
    where: describeAction(action),
  };
}

/** Describes a rule of a response as plain text. */
export function writeSentence(body: RuleBody, timeZone?: string): string {
  const [rule] = toRuleDrafts([body]);
  if (rule === undefined) return "";
  const { who, where } = describeRule(rule, timeZone);
  const join = (spans: Span[]) => spans.map(({ text }) => text).join("");
  return `${who.length === 0 ? "All visitors" : join(who)} → ${join(where)}`;
}

function describeText(text: string): RuleSentence {
  const isJson = !("fault" in parseRule(text));
  return {
    who: [{ text: isJson ? "Rule (JSON)" : "Invalid JSON" }],
    where: [{ text: text.replace(/\s+/g, " ").slice(0, 60), isChosen: true }],
  };
}

/** Returns the device of conditions that only iPhones or only iPads match, or null. */
function findAppleDevice(conditions: readonly Condition[]): "iPhone" | "iPad" | null {
  const hasOnly = (wanted: ListField, value: string) =>
    conditions.some(
      (condition) =>
        condition.field === wanted && "values" in condition && String(condition.values) === value,
    );
  if (!hasOnly("os", "ios")) return null;
  return hasOnly("device", "mobile") ? "iPhone" : hasOnly("device", "tablet") ? "iPad" : null;
}

function describeCondition(condition: Condition, timeZone?: string): Span[] {
  switch (condition.field) {
    case "query":
      return describeParameter(condition.name, condition.values);
    case "percent":
      return choose("is in a random ", `${condition.percent || "…"}%`);
    case "after":
      return choose("visits from ", formatMoment(condition.at, timeZone));
    case "before":
      return choose("visits before ", formatMoment(condition.at, timeZone));
    default:
      return describeValues(condition.field, condition.values);
  }
}

function describeValues(field: ListField, values: readonly string[]): Span[] {
  const names = values.map((value) => nameInSentence(field, value));
  return [{ text: `${STARTS[field]} ` }, ...listAlternatives(names)];
}

/** Device names are common nouns, so they are lower case within a sentence. All other names are kept. */
function nameInSentence(field: ListField, value: string): string {
  const name = nameValue(field, value);
  return field === "device" ? name.toLowerCase() : name;
}

function describeParameter(name: string, values: readonly string[]): Span[] {
  if (values.length === 0) return choose("visits with ", `?${name || "…"}`);
  return [{ text: "visits with " }, ...listAlternatives(values.map((value) => `?${name}=${value}`))];
}

/** Joins alternatives: `A, B or C`. A long list is cut: `A, B, C or 3 more`. */
function listAlternatives(values: readonly string[]): Span[] {
  if (values.length === 0) return [{ text: "…", isChosen: true }];
  const shown = values.length > VALUES_SHOWN ? values.slice(0, VALUES_SHOWN - 1) : values;
  const rest = values.length - shown.length;
  const items = rest === 0 ? shown : [...shown, `${rest} more`];
  return items.flatMap((text, index): Span[] => {
    const span = { text, isChosen: true };
    if (index === 0) return [span];
    return [{ text: index === items.length - 1 ? " or " : ", " }, span];
  });
}

function describeAction(action: RuleAction): Span[] {
  if (action.kind === "block") return [{ text: "blocked", isChosen: true }];
  if (action.kind === "send") return [{ text: shortenAddress(action.destination) || "…", isChosen: true }];
  return action.shares.flatMap(({ name, destination, percent }, index) => [
    ...(index === 0 ? [] : [{ text: ", " }]),
    ...choose(`${percent || "…"}% `, name || shortenAddress(destination) || "…"),
  ]);
}

function choose(before: string, text: string): Span[] {
  return [{ text: before }, { text, isChosen: true }];
}

/** Formats a time in a time zone, by default the browser's. */
export function formatMoment(iso: string, timeZone?: string): string {
  const timeMs = Date.parse(iso);
  if (Number.isNaN(timeMs)) return iso === "" ? "…" : iso;
  return new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    ...(timeZone !== undefined && { timeZone }),
  }).format(timeMs);
}
