import css from "./day-field.module.css";
import fieldCss from "./field.module.css";

interface DayFieldProps {
  /** Label inside the field, such as "From". */
  label: string;
  /** Date such as `2026-11-22`, or empty. */
  value: string;
  onChange: (day: string) => void;
}

/** Date input for a row of filters. Ignores incomplete dates. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <label class={`${fieldCss.input} ${fieldCss.affixed} ${css.field}`} data-ui="day-field">
      <span class={fieldCss.affix}>{label}</span>
      <input
        type="date"
        value={value}
        max="9999-12-31"
        onChange={({ currentTarget }) => {
          if (!currentTarget.validity.badInput) onChange(currentTarget.value);
        }}
      />
    </label>
  );
}
