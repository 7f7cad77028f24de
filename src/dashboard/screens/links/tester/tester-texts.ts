// Pure: no I/O, clock or randomness.
import type { ListField, RuleBody } from "../rules/rule-draft.ts";
import { formatMoment } from "../rules/rule-texts.ts";
import { nameValue } from "../rules/rule-values.ts";

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
export interface OutcomeTexts {
  tone: "good" | "warn" | "danger";
  title: string;
  text: string;
}

const OUTCOMES: Readonly<Record<string, OutcomeTexts>> = {
  found: { tone: "good", title: "Redirected", text: "" },
  early: {
    tone: "warn",
    title: "Link hasn't started",
    text: "Visitors go to the destination set for before the start.",
  },
  expired: {
    tone: "warn",
    title: "Link has expired",
    text: "Visitors go to the destination set for after expiry.",
  },
  gone: {
    tone: "warn",
    title: "Link unavailable",
    text: "It's disabled, expired or has reached its scan limit.",
  },
  preview: {
    tone: "good",
    title: "Gets the link preview",
    text: "This visitor is an app that generates link previews.",
  },
  password: {
    tone: "warn",
    title: "Asked for the password",
    text: "Rules apply after the password is entered.",
  },
  held: {
    tone: "warn",
    title: "Asked to open the link in a browser",
    text: "Automated requests don't count towards the scan limit.",
  },
  confirm: {
    tone: "warn",
    title: "Asked to confirm",
    text: "Visitors see a page with a button. Opening the link with it counts as a scan.",
  },
  blocked: { tone: "danger", title: "Blocked", text: "A rule blocks this visitor." },
  unknown: {
    tone: "danger",
    title: "Link not found",
    text: "The link hasn't started yet, or it would cause a redirect loop.",
  },
};

export function describeOutcome({ outcome, rule }: Resolved): OutcomeTexts {
  const texts = OUTCOMES[outcome] ?? { tone: "warn", title: outcome, text: "" };
  if (outcome !== "found") return texts;
  const text =
    rule === null ? "No rule matches, so the link's default destination is used." : `Matched rule “${rule}”.`;
  return { ...texts, text };
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
  if (matched) return hasDecided ? "Also matches, but an earlier rule applies." : "Matches.";
  if (failed === "after") return `Not active yet at ${formatMoment(seen ?? "", timeZone)}.`;
  if (failed === "before") return `No longer active at ${formatMoment(seen ?? "", timeZone)}.`;
  if (failed === "percent")
    return `This visitor's number is ${seen} (0 to 99). Numbers below ${when.percent} match.`;
  if (failed === "split") return `This visitor's number is ${seen} (0 to 99), outside all variants.`;
  if (failed === "query") return seen === null ? "The parameter is missing." : `The parameters are ${seen}.`;
  const name = CONDITIONS[failed ?? ""] ?? failed ?? "condition";
  if (seen === null) return `The visitor's ${name} is unknown.`;
  const values = seen.split(", ").map((value) => nameValue(failed as ListField, value));
  return `The visitor's ${name} is ${values.join(", ")}.`;
}

const CONDITIONS: Readonly<Record<string, string>> = {
  country: "country",
  continent: "continent",
  region: "region",
  device: "device",
  os: "operating system",
  browser: "browser",
  language: "language",
};
