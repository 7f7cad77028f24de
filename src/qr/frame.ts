// Pure: no I/O, clock or randomness.
import { pickReadableColour } from "../core/colour.ts";
import type { FieldProblem } from "../core/error.ts";
import type { Design } from "./design.ts";
import {
  CAPITAL_HEIGHT,
  drawText,
  explainMissingCharacter,
  type Font,
  findMissingCharacter,
  loadFont,
  measureText,
} from "./font.ts";
import type { Frame } from "./frame-style.ts";
import { drawRectangle, type Path, reversePath } from "./path.ts";

/** Frames: shapes around a QR code with a call to action. All sizes are in modules, so that they grow with the code. */

/** Size of an image, and the position of the code with its quiet zone in it, all in whole modules. */
export interface ImageBox {
  width: number;
  height: number;
  left: number;
  top: number;
}

/** Shapes of a frame in one colour. */
export interface FrameLayer {
  path: Path;
  color: string;
  /** Colour of the surface that the shapes are on. */
  surface: string;
}

/** Frame that is ready to be drawn, from the bottom layer to the top one. */
export interface FrameDrawing extends ImageBox {
  layers: readonly FrameLayer[];
}

/** Height of the label relative to the code without its quiet zone. */
const LABEL_SHARE = 0.21;
/** Height of capital letters relative to the label, and the part of the label's width that the text fills at most. */
const CAPITAL_SHARE = 0.45;
const TEXT_WIDTH_SHARE = 0.88;
const BORDER_SHARE = 0.03;
/** Gap between the border and the code with its quiet zone, which keeps the rounded corners out of the quiet zone. */
const BORDER_GAP = 1;
/** Radii of the outer corners, relative to the code without its quiet zone and to the height of a label. */
const BORDER_RADIUS_SHARE = 0.1;
const LABEL_RADIUS_SHARE = 0.3;
const POINTER_SHARE = 0.08;

/** Returns the problem of a frame's text that can't be drawn, or null. */
export async function findFrameProblem({ frame }: Design): Promise<FieldProblem | null> {
  const character = frame && findMissingCharacter(frame.text, await loadFont());
  return character === null
    ? null
    : { field: "design.frame.text", message: explainMissingCharacter(character) };
}

type Measures = ReturnType<typeof measureParts>;

function measureParts(symbolSide: number, quietZone: number) {
  const side = symbolSide + 2 * quietZone;
  const border = Math.max(1, Math.round(side * BORDER_SHARE));
  return {
    symbolSide,
    quietZone,
    side,
    label: Math.ceil(symbolSide * LABEL_SHARE),
    border,
    edge: border + BORDER_GAP,
    pointer: Math.ceil(symbolSide * POINTER_SHARE),
  };
}

/** Returns the size of the image of a code with `symbolSide` modules per side, and the position of the code in it. */
export function layOutImage({ frame, quietZone }: Design, symbolSide: number): ImageBox {
  const measures = measureParts(symbolSide, quietZone);
  const { side, label, edge, pointer } = measures;
  switch (frame?.style) {
    case undefined:
      return { width: side, height: side, left: 0, top: 0 };
    case "text":
    case "label-below":
      return { width: side, height: side + label + quietZone, left: 0, top: 0 };
    case "label-above":
      return { width: side, height: side + label + quietZone, left: 0, top: label + quietZone };
    case "border":
      return { width: side + 2 * edge, height: side + edge + BORDER_GAP + label, left: edge, top: edge };
    case "balloon":
      return {
        width: side + 2 * edge,
        height: side + 2 * edge + BORDER_GAP + pointer + label,
        left: edge,
        top: edge,
      };
  }
}

/**
 * Draws the frame of a design around a code with `symbolSide` modules per side. Returns null without a frame. Without a
 * font, the text is left out.
 */
export function drawFrame(design: Design, symbolSide: number, font: Font | null): FrameDrawing | null {
  const { frame, quietZone, background } = design;
  if (frame === null) return null;
  const box = layOutImage(design, symbolSide);
  const measures = measureParts(symbolSide, quietZone);
  const text = font === null ? [] : drawLabelText(frame, box, measures, font);
  const { color } = frame;
  if (frame.style === "text") return { ...box, layers: [{ path: text, color, surface: background }] };
  const shapes = { path: drawShapes(frame, box, measures), color, surface: background };
  const textColor = pickReadableColour([color], background);
  return { ...box, layers: [shapes, { path: text, color: textColor, surface: color }] };
}

function drawShapes({ style }: Frame, { width, height }: ImageBox, measures: Measures): Path {
  const { symbolSide, quietZone, side, label, border, edge, pointer } = measures;
  const labelRadius = label * LABEL_RADIUS_SHARE;
  if (style === "label-below") return drawRectangle(quietZone, side, symbolSide, label, labelRadius);
  if (style === "label-above") return drawRectangle(quietZone, quietZone, symbolSide, label, labelRadius);
  const radius = Math.max(border + BORDER_GAP, symbolSide * BORDER_RADIUS_SHARE);
  const inner = side + 2 * BORDER_GAP;
  // With a gap of one module, an inner radius of up to three modules leaves the quiet zone free.
  const innerRadius = Math.min(radius - border, 3 * BORDER_GAP);
  const hole = reversePath(drawRectangle(border, border, inner, inner, innerRadius));
  if (style === "border") return [...drawRectangle(0, 0, width, height, radius), ...hole];
  const top = side + 2 * edge + BORDER_GAP + pointer;
  return [
    ...drawRectangle(0, 0, width, side + 2 * edge, radius),
    ...hole,
    ["M", width / 2, top - pointer],
    ["L", width / 2 + pointer, top],
    ["L", width / 2 - pointer, top],
    ...drawRectangle(0, top, width, label, labelRadius),
  ];
}

/** Draws the text in the middle of its label, as large as it fits. */
function drawLabelText({ style, text }: Frame, box: ImageBox, measures: Measures, font: Font): Path {
  const { symbolSide, quietZone, side, label } = measures;
  const isWide = style === "border" || style === "balloon";
  const widthMax = (isWide ? box.width : symbolSide) * (style === "text" ? 1 : TEXT_WIDTH_SHARE);
  const width = measureText(text, font) / 1_000;
  const size = Math.min((label * CAPITAL_SHARE * 1_000) / CAPITAL_HEIGHT, widthMax / width);
  const top = {
    text: side,
    "label-below": side,
    "label-above": quietZone,
    border: box.height - label,
    balloon: box.height - label,
  }[style];
  const baseline = top + label / 2 + (size * CAPITAL_HEIGHT) / 2_000;
  return drawText(text, font, (box.width - width * size) / 2, baseline, size);
}
