import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { joinClasses } from "./button.tsx";
import css from "./tile-choice.module.css";

/** Choice with an image. */
export interface Tile<Value extends string> {
  value: Value;
  label: string;
  picture?: ComponentChildren;
  /** Text below the label. */
  note?: string | undefined;
}

interface TileChoiceProps<Value extends string> {
  legend: string;
  tiles: readonly Tile<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Hides the legend visually, if a heading already says the same. */
  isLegendHidden?: boolean | undefined;
}

/** A few exclusive choices with images. Arrow keys change the choice. */
export function TileChoice<Value extends string>({
  legend,
  tiles,
  value,
  onChange,
  isLegendHidden,
}: TileChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class={css.tiles} data-ui="tiles">
      <legend class={joinClasses(css.legend, isLegendHidden && "visually-hidden")}>{legend}</legend>
      {tiles.map((tile) => (
        <label
          key={tile.value}
          class={joinClasses(css.tile, tile.picture === undefined && css.worded)}
          data-ui="tile"
        >
          <input
            type="radio"
            name={name}
            value={tile.value}
            checked={tile.value === value}
            onChange={() => onChange(tile.value)}
          />
          {tile.picture}
          <span data-ui="tile-label">{tile.label}</span>
          {tile.note && <span class={css.note}>{tile.note}</span>}
        </label>
      ))}
    </fieldset>
  );
}
