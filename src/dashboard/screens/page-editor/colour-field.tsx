import { isHexColour } from "../../../core/colour.ts";
import { Button, joinClasses } from "../../components/button.tsx";
import fieldCss from "../../components/field.module.css";
import { Field } from "../../components/field.tsx";
import css from "./colour-field.module.css";

interface ColourFieldProps {
  label: string;
  /** `#RGB`, `#RRGGBB`, an incomplete colour, or an empty string. */
  value: string;
  /** Describes what visitors see instead of this colour. */
  note: string | undefined;
  error: string | undefined;
  onChange: (colour: string) => void;
}

/** Field for a colour, typed or chosen with the browser's colour picker. */
export function ColourField({ label, value, note, error, onChange }: ColourFieldProps) {
  const isColour = isHexColour(value);
  return (
    <Field label={label} hint={note} error={error}>
      {(control) => (
        <div
          class={joinClasses(`${fieldCss.input} ${fieldCss.affixed} ${css.colour}`, error && fieldCss.faulty)}
          data-ui="input"
        >
          <label class={css.pageColour} data-empty={isColour ? undefined : ""}>
            <input
              type="color"
              aria-label={`Choose ${label.toLowerCase()}`}
              value={isColour ? toLongHex(value) : "#808080"}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          </label>
          <input
            {...control}
            type="text"
            placeholder="Theme default"
            maxLength={7}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={value}
            onInput={(event) => onChange(completeHex(event.currentTarget.value))}
          />
          {value !== "" && (
            <Button
              kind="plain"
              size="s"
              icon="close"
              aria-label={`Reset ${label.toLowerCase()} to theme default`}
              onClick={() => onChange("")}
            />
          )}
        </div>
      )}
    </Field>
  );
}

/** Browser colour pickers only accept six digits. */
function toLongHex(colour: string): string {
  return colour.length === 4 ? colour.replace(/[0-9a-f]/gi, "$&$&") : colour;
}

/** Adds the `#` if it is missing. */
function completeHex(typed: string): string {
  const text = typed.trim();
  return /^[0-9a-f]{3,6}$/i.test(text) ? `#${text}` : text;
}
