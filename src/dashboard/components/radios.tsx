import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import fieldCss from "./field.module.css";

interface RadiosProps<Choice extends string> {
  label: string;
  choices: readonly { value: Choice; label: ComponentChildren; hint?: ComponentChildren }[];
  value: Choice;
  onChange: (value: Choice) => void;
}

/** Radio buttons in a column, each with a hint about its meaning. */
export function Radios<Choice extends string>({ label, choices, value, onChange }: RadiosProps<Choice>) {
  const name = useId();
  return (
    <fieldset class="stack tight">
      <legend class={fieldCss.legend}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} class={`${fieldCss.check} ${fieldCss.radio}`}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            aria-describedby={choice.hint ? `${name}-${choice.value}` : undefined}
            onChange={() => onChange(choice.value)}
          />
          <span>
            {choice.label}
            {choice.hint && (
              <span class={fieldCss.hint} id={`${name}-${choice.value}`}>
                {choice.hint}
              </span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
