import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { joinClasses } from "./button.tsx";
import css from "./field.module.css";
import { Icon } from "./icon.tsx";

/** Attributes that connect a control to its label, hint and error. */
export interface FieldControl {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": "true" | undefined;
}

/** Texts around a control. */
export interface FieldTexts {
  label: string;
  /** Describes what to enter. Shown below the control. */
  hint?: ComponentChildren;
  /** Describes what to correct. Replaces the hint. */
  error?: string | undefined;
  /** Shown at the end of the label's line, such as a count or "Pro". */
  note?: ComponentChildren;
}

interface FieldProps extends FieldTexts {
  children: (control: FieldControl) => ComponentChildren;
}

/** Label, control, and hint or error. */
export function Field({ label, hint, error, note, children }: FieldProps) {
  const id = useId();
  const textId = `${id}-text`;
  const hasText = Boolean(error || hint);
  return (
    <div class={css.field} data-ui="field">
      <div class={css.head} data-ui="field-head">
        <label for={id}>{label}</label>
        {note && <span class={`numeric ${css.note}`}>{note}</span>}
      </div>
      {children({
        id,
        "aria-describedby": hasText ? textId : undefined,
        "aria-invalid": error ? "true" : undefined,
      })}
      {error ? (
        <p class={css.error} data-ui="field-error" id={textId}>
          <Icon name="alert" size={15} />
          {error}
        </p>
      ) : (
        hint && (
          <p class={css.hint} id={textId}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** Share of the maximum length from which the number of characters is shown. */
const COUNTED_SHARE = 0.8;

function formatLength(value: string, max: number | undefined): string | undefined {
  return max !== undefined && value.length >= max * COUNTED_SHARE ? `${value.length} of ${max}` : undefined;
}

/** Attributes that are passed on to the input. */
interface InputAttributes {
  type?: "text" | "url" | "email" | "password" | "datetime-local";
  autocapitalize?: "none" | "sentences";
  autocomplete?: "off" | "email" | "new-password";
  autoFocus?: boolean;
  inputMode?: "text" | "url" | "numeric" | "email";
  maxLength?: number;
  placeholder?: string;
  required?: boolean;
  spellcheck?: boolean;
}

interface TextFieldProps extends FieldTexts, InputAttributes {
  value: string;
  onInput: (value: string) => void;
  /** Text in front of the typed text, such as `https://`. */
  affix?: string | undefined;
  isMono?: boolean | undefined;
}

/** Single-line text input. With `maxLength`, shows the number of characters near the limit. */
export function TextField({
  label,
  hint,
  error,
  note,
  type = "text",
  value,
  onInput,
  affix,
  isMono,
  ...rest
}: TextFieldProps) {
  // Preact types input attributes as a union by `type`. The attributes used here are common to all types.
  const handle = (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value);
  return (
    <Field label={label} hint={hint} error={error} note={note ?? formatLength(value, rest.maxLength)}>
      {(control) =>
        affix === undefined ? (
          <input
            {...rest}
            {...control}
            type={type as "text"}
            class={joinClasses(css.input, isMono && css.mono)}
            data-ui="input"
            value={value}
            onInput={handle}
          />
        ) : (
          <div
            class={joinClasses(`${css.input} ${css.affixed}`, error && css.faulty, isMono && css.mono)}
            data-ui="input"
          >
            <span class={css.affix}>{affix}</span>
            <input {...rest} {...control} type={type as "text"} value={value} onInput={handle} />
          </div>
        )
      }
    </Field>
  );
}

interface TextAreaProps extends FieldTexts, Pick<InputAttributes, "maxLength" | "placeholder"> {
  value: string;
  onInput: (value: string) => void;
}

/** Multi-line text input. */
export function TextArea({ label, hint, error, note, value, onInput, ...rest }: TextAreaProps) {
  return (
    <Field label={label} hint={hint} error={error} note={note ?? formatLength(value, rest.maxLength)}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          class={css.input}
          data-ui="input"
          value={value}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps<Choice extends string> extends FieldTexts {
  value: Choice;
  choices: readonly { value: Choice; label: string }[];
  onChange: (value: Choice) => void;
}

/** Select for a few choices. Use a combobox for many. */
export function Select<Choice extends string>({
  label,
  hint,
  error,
  note,
  value,
  choices,
  onChange,
}: SelectProps<Choice>) {
  return (
    <Field label={label} hint={hint} error={error} note={note}>
      {(control) => (
        <select
          {...control}
          class={css.input}
          data-ui="input"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Choice)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  label: ComponentChildren;
  hint?: ComponentChildren;
  isChecked: boolean;
  onChange: (isChecked: boolean) => void;
  /** Shows a switch, for a setting that is saved immediately. */
  isSwitch?: boolean | undefined;
}

/** Checkbox, or switch, with its label. */
export function Check({ label, hint, isChecked, onChange, isSwitch }: CheckProps) {
  const id = useId();
  return (
    <label class={joinClasses(css.check, isSwitch && css.switch)}>
      <input
        type="checkbox"
        role={isSwitch ? "switch" : undefined}
        checked={isChecked}
        aria-describedby={hint ? id : undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && (
          <span class={css.hint} id={id}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
}
