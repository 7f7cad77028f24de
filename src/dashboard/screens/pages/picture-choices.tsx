import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import segmentsCss from "../../components/segments.module.css";
import pageCardCss from "./page-card.module.css";
import css from "./picture-choices.module.css";

interface PictureChoicesProps<Choice extends { name: string; label: string }> {
  label: string;
  choices: readonly Choice[];
  chosen: string;
  onChange: (name: string) => void;
  /** Renders the picture of a choice. */
  children: (choice: Choice) => ComponentChildren;
}

/** Radio group with a picture and a name for each choice. */
export function PictureChoices<Choice extends { name: string; label: string }>(
  props: PictureChoicesProps<Choice>,
) {
  const { label, choices, chosen, onChange, children } = props;
  const group = useId();
  return (
    <fieldset class={css.choices}>
      <legend class={segmentsCss.label}>{label}</legend>
      <div class={css.pictures}>
        {choices.map((choice) => (
          <label key={choice.name} class={css.choice}>
            <input
              type="radio"
              name={group}
              value={choice.name}
              checked={choice.name === chosen}
              onChange={() => onChange(choice.name)}
            />
            <span class={pageCardCss.picture} data-ui="page-picture">
              {children(choice)}
            </span>
            <span class={css.name}>{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
