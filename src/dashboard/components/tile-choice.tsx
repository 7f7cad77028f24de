import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { joinClasses } from "./button.tsx";

/** Choice with a picture. */
export interface Tile<Value extends string> {
  value: Value;
  label: string;
  picture?: ComponentChildren;
  /** Word below the label. */
  note?: string | undefined;
}

interface TileChoiceProps<Value extends string> {
  legend: string;
  tiles: readonly Tile<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** Keeps the legend for screen readers only, where a heading says it. */
  isLegendHidden?: boolean | undefined;
}

/** One of a few choices, each with a picture. Arrow keys move between them. */
export function TileChoice<Value extends string>({
  legend,
  tiles,
  value,
  onChange,
  isLegendHidden,
}: TileChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset class="tiles">
      <legend class={joinClasses("tiles-legend", isLegendHidden && "only-heard")}>{legend}</legend>
      {tiles.map((tile) => (
        <label key={tile.value} class={joinClasses("tile", tile.picture === undefined && "worded")}>
          <input
            type="radio"
            name={name}
            value={tile.value}
            checked={tile.value === value}
            onChange={() => onChange(tile.value)}
          />
          {tile.picture}
          <span class="tile-label">{tile.label}</span>
          {tile.note && <span class="tile-note">{tile.note}</span>}
        </label>
      ))}
    </fieldset>
  );
}
