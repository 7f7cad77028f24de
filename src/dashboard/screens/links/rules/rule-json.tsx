import fieldCss from "../../../components/field.module.css";
import { Field } from "../../../components/field.tsx";
import { type JsonRule, parseRule, toFormRule } from "./rule-draft.ts";
import { formatFaults, type RuleFaults } from "./rule-faults.ts";

const LINES_MAX = 18;

interface RuleJsonProps {
  rule: JsonRule;
  faults: RuleFaults;
  onChange: (rule: JsonRule) => void;
}

/** JSON editor of a rule, for parts that the form doesn't support and for users who prefer JSON. */
export function RuleJson({ rule, faults, onChange }: RuleJsonProps) {
  const parsed = parseRule(rule.text);
  const isForeign = !("fault" in parsed) && toFormRule(rule) === null;
  return (
    <Field
      label="Rule as JSON"
      hint={
        isForeign ? "This rule uses options the form doesn't support. They're kept as they are." : undefined
      }
      error={"fault" in parsed ? parsed.fault : formatFaults(faults)}
    >
      {(control) => (
        <textarea
          {...control}
          class={`${fieldCss.input} ${fieldCss.mono}`}
          data-ui="input"
          spellcheck={false}
          autocapitalize="none"
          rows={Math.min(LINES_MAX, rule.text.split("\n").length + 1)}
          value={rule.text}
          onInput={(event) => onChange({ ...rule, text: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}
