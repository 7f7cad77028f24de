import { useMemo } from "preact/hooks";
import { RULE_VALUES_MAX } from "../../../../links/link-limits.ts";
import { COUNTRY_CODES } from "../../../../routing/countries.ts";
import { Button } from "../../../components/button.tsx";
import { Combobox } from "../../../components/combobox.tsx";
import fieldCss from "../../../components/field.module.css";
import { TextField } from "../../../components/field.tsx";
import { TimeField } from "../../../components/time-field.tsx";
import css from "./condition-row.module.css";
import type { Condition, ListField } from "./rule-draft.ts";
import { CONDITION_NAMES } from "./rule-templates.ts";
import { listOptions } from "./rule-values.ts";

const PLACEHOLDERS: Record<ListField, string> = {
  country: "Germany, CA …",
  continent: "Europe …",
  region: "US-CA, DE-BY …",
  language: "French, pt-BR …",
  device: "Phone …",
  os: "iOS, Android …",
  browser: "Chrome …",
};

interface ConditionRowProps {
  condition: Condition;
  error: string | undefined;
  onChange: (condition: Condition) => void;
  onRemove: () => void;
}

/** Fields of one condition, with a button to remove it. */
export function ConditionRow({ condition, error, onChange, onRemove }: ConditionRowProps) {
  const name = CONDITION_NAMES.find(({ field }) => field === condition.field)?.label ?? condition.field;
  return (
    <div class={css.condition}>
      <ConditionFields name={name} condition={condition} error={error} onChange={onChange} />
      <Button
        kind="plain"
        size="s"
        icon="close"
        aria-label={`Remove condition: ${name.toLowerCase()}`}
        onClick={onRemove}
      />
    </div>
  );
}

interface ConditionFieldsProps extends Omit<ConditionRowProps, "onRemove"> {
  name: string;
}

function ConditionFields({ name, condition, error, onChange }: ConditionFieldsProps) {
  if (condition.field === "query")
    return <ParameterFields condition={condition} error={error} onChange={onChange} />;
  if (condition.field === "percent")
    return (
      <TextField
        label={name}
        inputMode="numeric"
        hint="1 to 99 percent. Each visitor always gets the same result."
        value={condition.percent}
        error={error}
        onInput={(percent) => onChange({ field: "percent", percent })}
      />
    );
  if ("at" in condition)
    return (
      <TimeField
        label={name}
        value={condition.at}
        error={error}
        onInput={(at) => onChange({ field: condition.field, at })}
      />
    );
  return <ListFields name={name} condition={condition} error={error} onChange={onChange} />;
}

interface ListFieldsProps {
  name: string;
  condition: Extract<Condition, { field: ListField }>;
  error: string | undefined;
  onChange: (condition: Condition) => void;
}

function ListFields({ name, condition: { field, values }, error, onChange }: ListFieldsProps) {
  const options = useMemo(() => listOptions(field, COUNTRY_CODES), [field]);
  return (
    <Combobox
      label={name}
      options={options}
      values={values}
      max={RULE_VALUES_MAX}
      takesNew={field === "region" || field === "language"}
      placeholder={PLACEHOLDERS[field]}
      error={error}
      onChange={(changed) => onChange({ field, values: changed })}
    />
  );
}

interface ParameterFieldsProps {
  condition: Extract<Condition, { field: "query" }>;
  error: string | undefined;
  onChange: (condition: Condition) => void;
}

function ParameterFields({ condition, error, onChange }: ParameterFieldsProps) {
  return (
    <div class={fieldCss.pairs}>
      <TextField
        label="Parameter"
        placeholder="utm_source"
        autocapitalize="none"
        spellcheck={false}
        value={condition.name}
        error={error}
        onInput={(name) => onChange({ ...condition, name })}
      />
      <Combobox
        label="Value"
        options={[]}
        values={condition.values}
        max={RULE_VALUES_MAX}
        takesNew
        placeholder="Any"
        onChange={(values) => onChange({ ...condition, values })}
      />
    </div>
  );
}
