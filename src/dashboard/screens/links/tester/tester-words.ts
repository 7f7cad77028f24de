import type { ListField, RuleBody } from "../rules/rule-draft.ts";
import { nameValue } from "../rules/rule-values.ts";
import { formatMoment } from "../rules/rule-words.ts";

/** Text shown for the outcome of a test and its reasons. */

/** Outcome of a visit, as the API returns it. */
export interface Resolved {
  status: number;
  outcome: string;
  destination: string | null;
  rule: string | null;
  rules: readonly ExplainedRule[];
}

/** Result of a rule. `failed` is the condition that failed, if any, and `seen` the visitor's value. */
export interface ExplainedRule {
  name: string;
  matched: boolean;
  failed: string | null;
  seen: string | null;
}

/** Text shown for an outcome. */
export interface OutcomeWords {
  tone: "good" | "warn" | "danger";
  title: string;
  text: string;
}

const OUTCOMES: Readonly<Record<string, OutcomeWords>> = {
  found: { tone: "good", title: "Is redirected", text: "" },
  early: {
    tone: "warn",
    title: "Comes too early",
    text: "The link has not started, and leads to its address for that.",
  },
  expired: {
    tone: "warn",
    title: "Comes too late",
    text: "The link is over, and leads to its address for that.",
  },
  gone: { tone: "warn", title: "Is told that the link is over", text: "It is disabled, expired or used up." },
  preview: {
    tone: "good",
    title: "Gets the preview",
    text: "This is a program that shows previews in chats.",
  },
  password: { tone: "warn", title: "Is asked for the password", text: "Afterwards, the rules decide." },
  held: { tone: "warn", title: "Is asked to use a browser", text: "Programs cannot use up a limited link." },
  blocked: { tone: "danger", title: "Is refused", text: "A rule blocks these visitors." },
  unknown: {
    tone: "danger",
    title: "Finds no link",
    text: "It has not started, or it would lead in a circle.",
  },
};

export function describeOutcome({ outcome, rule }: Resolved): OutcomeWords {
  const words = OUTCOMES[outcome] ?? { tone: "warn", title: outcome, text: "" };
  if (outcome !== "found") return words;
  const text =
    rule === null ? "No rule fits, so the link's own destination counts." : `By the rule “${rule}”.`;
  return { ...words, text };
}

/** Returns the index of the rule that was applied, or -1. */
export function findDecidingRule({ outcome, rules }: Resolved): number {
  const isByRules = outcome === "found" || outcome === "blocked";
  return isByRules ? rules.findIndex(({ matched }) => matched) : -1;
}

/** Explains why a rule matches a visitor or not. */
export function explainRule(
  { matched, failed, seen }: ExplainedRule,
  { when = {} }: RuleBody,
  hasDecided: boolean,
  timeZone?: string,
): string {
  if (matched) return hasDecided ? "Fits too, but an earlier rule decides." : "Fits.";
  if (failed === "after") return `At ${formatMoment(seen ?? "", timeZone)}, it has not begun.`;
  if (failed === "before") return `At ${formatMoment(seen ?? "", timeZone)}, it is over.`;
  if (failed === "percent")
    return `This visitor has the number ${seen} of 0 to 99. Those below ${when.percent} fit.`;
  if (failed === "split") return `This visitor has the number ${seen} of 0 to 99, beyond all shares.`;
  if (failed === "query") return seen === null ? "The parameter is missing." : `The parameters are ${seen}.`;
  const name = CONDITIONS[failed ?? ""] ?? failed ?? "condition";
  if (seen === null) return `The ${name} is not known.`;
  const values = seen.split(", ").map((value) => nameValue(failed as ListField, value));
  return `The ${name} is ${values.join(", ")}.`;
}

const CONDITIONS: Readonly<Record<string, string>> = {
  country: "country",
  continent: "continent",
  region: "region",
  device: "device",
  os: "system",
  browser: "browser",
  language: "language",
};
