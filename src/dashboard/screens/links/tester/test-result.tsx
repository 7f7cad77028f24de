import { Icon } from "../../../components/icon.tsx";
import { shownZone } from "../../../components/time-field.tsx";
import type { Schemas } from "../../../data/calls.ts";
import type { Link } from "../link-store.ts";
import { toRuleDrafts } from "../rules/rule-draft.ts";
import { Sentence } from "../rules/rule-sentence.tsx";
import { describeRule } from "../rules/rule-texts.ts";
import css from "./test-result.module.css";
import { describeOutcome, explainRule, findDecidingRule } from "./tester-texts.ts";

interface TestResultProps {
  link: Link;
  result: Schemas["ResolvedLink"];
  isWaiting: boolean;
}

/** Response that the visitor gets and, for each rule, why it matches or not. */
export function TestResult({ link, result, isWaiting }: TestResultProps) {
  const { tone, title, text } = describeOutcome(result);
  const deciding = findDecidingRule(result);
  const drafts = toRuleDrafts(link.routing_rules);
  return (
    <div class={css.result} aria-busy={isWaiting}>
      <div class={css.outcome} data-tone={tone}>
        <p class="row">
          <b>{title}</b>
          <span class="push small numeric">{result.status}</span>
        </p>
        {result.destination && (
          <a class={css.destination} href={result.destination} target="_blank" rel="noreferrer">
            {result.destination}
          </a>
        )}
        {text && <p class="small">{text}</p>}
      </div>
      {result.rules.length > 0 && (
        <ol class={css.rules} aria-label="Rule results">
          {result.rules.map((rule, index) => {
            const draft = drafts[index];
            const body = link.routing_rules[index];
            if (draft === undefined || body === undefined) return null;
            const hasDecided = deciding !== -1 && index > deciding;
            return (
              <li key={index} class={index === deciding ? css.deciding : undefined}>
                <Icon name={rule.matched ? "check" : "close"} size={15} />
                <span>
                  <Sentence sentence={describeRule(draft, shownZone.value)} />
                  <span class="small muted">{explainRule(rule, body, hasDecided, shownZone.value)}</span>
                </span>
              </li>
            );
          })}
        </ol>
      )}
    </div>
  );
}
