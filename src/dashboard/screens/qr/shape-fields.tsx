import { DESIGN_DEFAULTS } from "../../../qr/design.ts";
import { CORNER_STYLES, type CornerStyle, DOT_STYLES, type DotStyle } from "../../../qr/shape.ts";
import { TileChoice } from "../../components/tile-choice.tsx";
import type { DesignFieldProps } from "./design-fields.tsx";
import css from "./shape-fields.module.css";
import { CORNER_TILE_SIDE, DOT_TILE_SIDE, drawCornerTile, drawDotTile } from "./shape-tiles.ts";

const DOT_NAMES: Record<DotStyle, string> = {
  square: "Square",
  rounded: "Rounded",
  dots: "Dots",
  classy: "Leaf",
  "classy-rounded": "Petal",
  "extra-rounded": "Fluid",
};
const CORNER_NAMES: Record<CornerStyle, string> = {
  square: "Square",
  rounded: "Rounded",
  dot: "Circle",
  "extra-rounded": "Soft",
};

const DOT_TILES = DOT_STYLES.map((value) => ({
  value,
  label: DOT_NAMES[value],
  picture: <TilePicture side={DOT_TILE_SIDE} path={drawDotTile(value)} />,
}));
const CORNER_TILES = CORNER_STYLES.map((value) => ({
  value,
  label: CORNER_NAMES[value],
  picture: <TilePicture side={CORNER_TILE_SIDE} path={drawCornerTile(value)} />,
}));

function TilePicture({ side, path }: { side: number; path: string }) {
  return (
    <svg class={css.tilePicture} viewBox={`0 0 ${side} ${side}`} aria-hidden="true">
      <path d={path} fill="currentColor" fill-rule="evenodd" />
    </svg>
  );
}

/** Fields for the shapes of dots and corners. */
export function ShapeFields({ design, onChange }: DesignFieldProps) {
  return (
    <>
      <TileChoice
        legend="Dots"
        tiles={DOT_TILES}
        value={design.dot_style ?? DESIGN_DEFAULTS.dot_style}
        onChange={(dot_style) => onChange({ ...design, dot_style }, "dots")}
      />
      <TileChoice
        legend="Corners"
        tiles={CORNER_TILES}
        value={design.corner_style ?? DESIGN_DEFAULTS.corner_style}
        onChange={(corner_style) => onChange({ ...design, corner_style }, "corners")}
      />
    </>
  );
}
