import { useId } from "preact/hooks";
import fieldCss from "./field.module.css";
import { Icon, type IconName } from "./icon.tsx";
import css from "./segments.module.css";

/** One of a few choices. An icon-only segment also needs a label. */
export interface Segment<Choice extends string> {
  value: Choice;
  label: string;
  icon?: IconName | undefined;
}

interface SegmentsProps<Choice extends string> {
  /** Name of the choice. */
  label: string;
  segments: readonly Segment<Choice>[];
  value: Choice;
  onChange: (value: Choice) => void;
  /** Hides the labels and shows only icons. */
  isIconOnly?: boolean | undefined;
  /** Shows the name above. Otherwise only screen readers announce it. */
  hasLabel?: boolean | undefined;
}

/** Row of a few exclusive choices. Arrow keys change the choice. */
export function Segments<Choice extends string>(props: SegmentsProps<Choice>) {
  const { label, segments, value, onChange, isIconOnly = false, hasLabel = false } = props;
  const name = useId();
  return (
    <fieldset class={fieldCss.field} data-ui="field">
      <legend class={hasLabel ? css.label : "visually-hidden"}>{label}</legend>
      <div class={css.segments} data-ui="segments">
        {segments.map((segment) => (
          <label
            key={segment.value}
            class={css.segment}
            data-ui="segment"
            title={isIconOnly ? segment.label : undefined}
          >
            <input
              type="radio"
              name={name}
              value={segment.value}
              checked={segment.value === value}
              onChange={() => onChange(segment.value)}
            />
            {segment.icon && <Icon name={segment.icon} size={16} />}
            <span class={isIconOnly ? "visually-hidden" : undefined}>{segment.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
