import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

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
    <fieldset class="picture-choices">
      <legend class="segments-label">{label}</legend>
      <div class="pictures">
        {choices.map((choice) => (
          <label key={choice.name} class="picture-choice">
            <input
              type="radio"
              name={group}
              value={choice.name}
              checked={choice.name === chosen}
              onChange={() => onChange(choice.name)}
            />
            <span class="page-picture">{children(choice)}</span>
            <span class="picture-name">{choice.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
