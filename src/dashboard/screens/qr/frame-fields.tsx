import { DESIGN_DEFAULTS, resolveDesign } from "../../../qr/design.ts";
import { drawFrame } from "../../../qr/frame.ts";
import {
  FRAME_STYLES,
  FRAME_TEXT_DEFAULT,
  FRAME_TEXT_MAX_LENGTH,
  type FrameStyle,
} from "../../../qr/frame-style.ts";
import { formatPath } from "../../../qr/path.ts";
import { TextField } from "../../components/field.tsx";
import { TileChoice } from "../../components/tile-choice.tsx";
import { ColourInput, type DesignFieldProps } from "./design-fields.tsx";
import type { Drawing } from "./draw-design.ts";
import css from "./shape-fields.module.css";

const NAMES: Record<FrameStyle, string> = {
  text: "Text",
  "label-below": "Label below",
  "label-above": "Label above",
  border: "Border",
  balloon: "Balloon",
};

const TILES = [
  { value: "none", label: "None", picture: <FramePicture style={null} /> },
  ...FRAME_STYLES.map((value) => ({
    value,
    label: NAMES[value],
    picture: <FramePicture style={value} />,
  })),
] as const;

/** Modules per side of the smallest code. The pictures show the code as a square. */
const SAMPLE_SIDE = 21;

/** Small picture of a frame. A bar represents the text. */
function FramePicture({ style }: { style: FrameStyle | null }) {
  const design = resolveDesign({ quiet_zone: 4, ...(style && { frame: { style } }) });
  const { quietZone } = design;
  const side = SAMPLE_SIDE + 2 * quietZone;
  const { width, height, left, top, layers } = drawFrame(design, SAMPLE_SIDE, null) ?? {
    width: side,
    height: side,
    left: 0,
    top: 0,
    layers: [],
  };
  const [x, y] = [left + quietZone, top + quietZone];
  return (
    <svg class={css.tilePicture} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path
        fill="currentColor"
        d={`M${x} ${y}h9v9h-9zm12 0h9v9h-9zm-12 12h9v9h-9zm12 0h4v4h-4zm5 5h4v4h-4z`}
      />
      {style === "text" && <path fill="currentColor" d={`M7 ${side + 1}h15v3h-15z`} />}
      {layers.map(({ path, color }) => (
        <path key={color} fill="currentColor" d={formatPath(path, "svg")} />
      ))}
    </svg>
  );
}

interface FrameFieldsProps extends DesignFieldProps {
  /** Problem of the drawing, which may be the frame's text. */
  fault: Drawing["fault"];
}

/** Fields for the frame: its style, its call to action and its colour. */
export function FrameFields({ design, onChange, fault }: FrameFieldsProps) {
  const { frame, ...plain } = design;
  return (
    <>
      <TileChoice
        legend="Frame"
        isLegendHidden
        tiles={TILES}
        value={frame?.style ?? "none"}
        onChange={(style) =>
          onChange(style === "none" ? plain : { ...design, frame: { ...frame, style } }, "frame")
        }
      />
      {frame !== undefined && (
        <>
          <TextField
            label="Call to action"
            placeholder={FRAME_TEXT_DEFAULT}
            maxLength={FRAME_TEXT_MAX_LENGTH}
            value={frame.text ?? ""}
            error={fault?.field === "design.frame.text" ? `${fault.message}.` : undefined}
            onInput={(text) => {
              const { text: _, ...rest } = frame;
              onChange({ ...design, frame: text.trim() === "" ? rest : { ...frame, text } }, "frame text");
            }}
          />
          <ColourInput
            label="Frame colour"
            value={frame.color ?? design.foreground_color ?? DESIGN_DEFAULTS.foreground_color}
            onInput={(color) => onChange({ ...design, frame: { ...frame, color } }, "frame colour")}
          />
        </>
      )}
    </>
  );
}
