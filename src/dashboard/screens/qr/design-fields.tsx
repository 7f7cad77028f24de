import { useEffect, useState } from "preact/hooks";
import { formatHexColour, isHexColour, parseHexColour } from "../../../core/colour.ts";
import { formatCount } from "../../../core/format-count.ts";
import { DESIGN_DEFAULTS, type DesignInput } from "../../../qr/design.ts";
import { FRAMED_QUIET_ZONE_MIN } from "../../../qr/frame-style.ts";
import { LEVELS, type Level } from "../../../qr/matrix.ts";
import { Button } from "../../components/button.tsx";
import fieldCss from "../../components/field.module.css";
import { Check, Field } from "../../components/field.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import css from "./design-fields.module.css";
import { NUMBER_LIMITS } from "./design-query.ts";

/** Properties of every group of fields. */
export interface DesignFieldProps {
  design: DesignInput;
  /** Quick successive changes with the same subject are one undo step. */
  onChange: (design: DesignInput, subject: string) => void;
}

interface ColourFieldProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
}

/** Colour field with a colour picker. Typed text is applied as soon as it is a valid colour. */
export function ColourInput({ label, value, onInput }: ColourFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  useEffect(() => setTyped(null), [value]);
  const shown = typed ?? value;
  const isWrong = typed !== null && !isHexColour(typed);
  return (
    <Field label={label} error={isWrong ? "Enter a hex colour such as #1a73e8." : undefined}>
      {(control) => (
        <div class={`${fieldCss.input} ${fieldCss.affixed} ${css.colourInput}`} data-ui="input">
          <input
            type="color"
            class={css.colourWell}
            aria-label={`${label} colour picker`}
            value={formatHexColour(parseHexColour(value))}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
          <input
            {...control}
            type="text"
            spellcheck={false}
            maxLength={7}
            value={shown}
            onInput={({ currentTarget }) => {
              const text = currentTarget.value.trim();
              const hex = text.startsWith("#") ? text : `#${text}`;
              setTyped(currentTarget.value);
              if (isHexColour(hex)) onInput(hex);
            }}
            onBlur={() => setTyped(null)}
          />
        </div>
      )}
    </Field>
  );
}

/** Fields for the colours of dots, background and corners. */
export function ColourFields({ design, onChange }: DesignFieldProps) {
  const foreground = design.foreground_color ?? DESIGN_DEFAULTS.foreground_color;
  const background = design.background_color ?? DESIGN_DEFAULTS.background_color;
  const { corner_color: corner, ...joined } = design;
  const swap = () => {
    const swapped = { ...joined, foreground_color: background, background_color: foreground };
    onChange(swapped, "swap");
  };
  return (
    <>
      <div class={css.colourPair}>
        <ColourInput
          label="Dots"
          value={foreground}
          onInput={(foreground_color) => onChange({ ...design, foreground_color }, "foreground")}
        />
        <ColourInput
          label="Background"
          value={background}
          onInput={(background_color) => onChange({ ...design, background_color }, "background")}
        />
        {corner !== undefined && (
          <ColourInput
            label="Corners"
            value={corner}
            onInput={(corner_color) => onChange({ ...design, corner_color }, "corner")}
          />
        )}
      </div>
      <div class="row wrap between">
        <Check
          isSwitch
          label="Use a separate corner colour"
          isChecked={corner !== undefined}
          onChange={(isOwn) =>
            onChange(isOwn ? { ...design, corner_color: foreground } : joined, "corner switch")
          }
        />
        <Button kind="plain" size="s" icon="swap" onClick={swap}>
          Swap colours
        </Button>
      </div>
    </>
  );
}

interface RangeProps {
  label: string;
  value: number;
  min: number;
  max: number;
  step?: number;
  /** Value as displayed and read by screen readers. */
  text: string;
  hint?: string;
  onInput: (value: number) => void;
}

/** Slider for a number between two limits. */
export function RangeInput({ label, value, min, max, step = 1, text, hint, onInput }: RangeProps) {
  return (
    <Field label={label} note={text} hint={hint}>
      {(control) => (
        <input
          {...control}
          class={css.range}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          aria-valuetext={text}
          onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
        />
      )}
    </Field>
  );
}

/** Share of a damaged code that each level can repair (ISO/IEC 18004 section 6.5.1). */
const LEVEL_NOTES: Record<Level, string> = { L: "7%", M: "15%", Q: "25%", H: "30%" };
const LEVEL_NAMES: Record<Level, string> = { L: "Low", M: "Medium", Q: "High", H: "Highest" };

/** Fields for error correction and margin. */
export function ReliabilityFields({ design, onChange }: DesignFieldProps) {
  const max = NUMBER_LIMITS.quiet_zone[1];
  const min = design.frame === undefined ? NUMBER_LIMITS.quiet_zone[0] : FRAMED_QUIET_ZONE_MIN;
  const margin = Math.max(min, design.quiet_zone ?? DESIGN_DEFAULTS.quiet_zone);
  return (
    <>
      <TileChoice
        legend="Error correction"
        tiles={LEVELS.map((value) => ({
          value,
          label: LEVEL_NAMES[value],
          note: `${value} · recovers ${LEVEL_NOTES[value]}`,
        }))}
        value={design.error_correction ?? DESIGN_DEFAULTS.error_correction}
        onChange={(error_correction) => onChange({ ...design, error_correction }, "level")}
      />
      <RangeInput
        label="Margin"
        value={margin}
        min={min}
        max={max}
        text={formatCount(margin, "module")}
        onInput={(quiet_zone) => onChange({ ...design, quiet_zone }, "margin")}
      />
    </>
  );
}
