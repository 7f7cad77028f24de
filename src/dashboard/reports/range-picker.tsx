import { useEffect, useId, useRef, useState } from "preact/hooks";
import { setQuery } from "../address/address.ts";
import fieldCss from "../components/field.module.css";
import { Field } from "../components/field.tsx";
import css from "./range-picker.module.css";
import { addDays, findDay, PRESETS, type Preset, type ShownRange } from "./shown-range.ts";

const NAMES: Record<Preset, { short: string; long: string }> = {
  "24h": { short: "24h", long: "Last 24 hours" },
  "7d": { short: "7d", long: "Last 7 days" },
  "30d": { short: "30d", long: "Last 30 days" },
  "90d": { short: "90d", long: "Last 90 days" },
  custom: { short: "Custom", long: "Custom range" },
};
const ORDER: readonly Preset[] = ["24h", "7d", "30d", "90d", "custom"];
const [DEFAULT] = PRESETS;

/** Picker for the range of a report. The range is stored in the URL. */
export function RangePicker({ range }: { range: ShownRange }) {
  const name = useId();
  const choose = (preset: Preset) => {
    const { from, to } = preset === "custom" ? range.days : { from: null, to: null };
    setQuery({ range: preset === DEFAULT ? null : preset, from, to, interval: null });
  };
  return (
    <div class={css.picker}>
      <fieldset class={css.choices}>
        <legend class="visually-hidden">Date range</legend>
        {ORDER.map((preset) => (
          <label key={preset} class={css.choice}>
            <input
              type="radio"
              name={name}
              aria-label={NAMES[preset].long}
              checked={preset === range.preset}
              onChange={() => choose(preset)}
            />
            <span>{NAMES[preset].short}</span>
          </label>
        ))}
      </fieldset>
      {range.preset === "custom" && <CustomDates range={range} />}
    </div>
  );
}

/** Fields for the first and last day. Changes apply once both dates are complete and in order. */
function CustomDates({ range: { days, zone } }: { range: ShownRange }) {
  const [from, setFrom] = useState(days.from);
  const [to, setTo] = useState(days.to);
  const fields = useRef<HTMLDivElement>(null);
  // Follows changes of the URL, such as "back", but not while the user is typing.
  useEffect(() => {
    if (fields.current?.contains(document.activeElement)) return;
    setFrom(days.from);
    setTo(days.to);
  }, [days.from, days.to]);
  const today = findDay(Date.now(), zone);
  const error = from > to ? "Choose a start date before the end date." : undefined;
  const apply = (next: { from: string; to: string }) => {
    if (next.from !== "" && next.to !== "" && next.from <= next.to) setQuery(next);
  };
  return (
    <div class="row wrap" ref={fields}>
      <Field label="Start date" error={error}>
        {(control) => (
          <input
            {...control}
            type="date"
            class={fieldCss.input}
            data-ui="input"
            value={from}
            min={addDays(today, -3_649)}
            max={today}
            onChange={(event) => {
              setFrom(event.currentTarget.value);
              apply({ from: event.currentTarget.value, to });
            }}
          />
        )}
      </Field>
      <Field label="End date">
        {(control) => (
          <input
            {...control}
            type="date"
            class={fieldCss.input}
            data-ui="input"
            value={to}
            max={today}
            onChange={(event) => {
              setTo(event.currentTarget.value);
              apply({ from, to: event.currentTarget.value });
            }}
          />
        )}
      </Field>
    </div>
  );
}
