interface DayFieldProps {
  /** Stands in the field: "From". */
  label: string;
  /** Day such as `2026-11-22`, or empty. */
  value: string;
  onChange: (day: string) => void;
}

/** Field for a day, in a row of filters. Half a date that is being typed changes nothing. */
export function DayField({ label, value, onChange }: DayFieldProps) {
  return (
    <label class="input affixed day">
      <span class="affix">{label}</span>
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
