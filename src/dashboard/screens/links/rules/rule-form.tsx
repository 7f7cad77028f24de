import { useRef } from "preact/hooks";
import { RULE_NAME_MAX_LENGTH } from "../../../../links/link-limits.ts";
import { Button } from "../../../components/button.tsx";
import fieldCss from "../../../components/field.module.css";
import { TextField } from "../../../components/field.tsx";
import { Menu } from "../../../components/menu.tsx";
import { ConditionRow } from "./condition-row.tsx";
import { RuleActionFields } from "./rule-action-fields.tsx";
import type { Condition, FormRule } from "./rule-draft.ts";
import { findFault, type RuleFaults } from "./rule-faults.ts";
import { buildCondition, listFreeConditions } from "./rule-templates.ts";

interface RuleFormProps {
  rule: FormRule;
  faults: RuleFaults;
  /** Destination of the link. */
  destination: string;
  onChange: (rule: FormRule) => void;
}

/** Form of a rule: its conditions, its action and its name. */
export function RuleForm({ rule, faults, destination, onChange }: RuleFormProps) {
  const { conditions, action, name } = rule;
  const adder = useRef<HTMLDivElement>(null);
  const setConditions = (changed: readonly Condition[]) => onChange({ ...rule, conditions: changed });
  const isNew = conditions.length === 0 && action.kind !== "split";
  const choices = listFreeConditions(conditions).map(({ field, label }) => ({
    label,
    onSelect: () => setConditions([...conditions, buildCondition(field)]),
  }));
  const general = faults[""] ?? faults.when ?? faults["when.query"];
  return (
    <>
      {general && (
        <p class={fieldCss.error} data-ui="field-error">
          {general}
        </p>
      )}
      {conditions.map((condition, index) => (
        <ConditionRow
          // The key contains the index, because query parameters can occur several times. Other fields occur
          // once.
          key={`${condition.field} ${index}`}
          condition={condition}
          error={findConditionProblem(condition, faults)}
          onChange={(changed) =>
            setConditions(conditions.map((other, at) => (at === index ? changed : other)))
          }
          onRemove={() => {
            setConditions(conditions.filter((_, at) => at !== index));
            adder.current?.querySelector("button")?.focus();
          }}
        />
      ))}
      <div ref={adder}>
        <Menu label="Conditions" groups={[choices]}>
          {(trigger) => (
            <Button size="s" icon="plus" data-first={isNew || undefined} {...trigger}>
              {conditions.length === 0 ? "Add condition" : "Add another condition"}
            </Button>
          )}
        </Menu>
      </div>
      <RuleActionFields
        action={action}
        faults={faults}
        destination={destination}
        onChange={(changed) => onChange({ ...rule, action: changed })}
      />
      <TextField
        label="Rule name"
        hint="Shown in analytics. If empty, the rule's number is shown."
        maxLength={RULE_NAME_MAX_LENGTH}
        value={name}
        error={faults.name}
        onInput={(changed) => onChange({ ...rule, name: changed })}
      />
    </>
  );
}

function findConditionProblem(condition: Condition, faults: RuleFaults): string | undefined {
  if (condition.field !== "query") return findFault(faults, `when.${condition.field}`);
  return findFault(faults, condition.name === "" ? 'when.query[""]' : `when.query.${condition.name}`);
}
