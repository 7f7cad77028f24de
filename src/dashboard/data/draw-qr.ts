// Pure: no I/O, clock or randomness.
import { resolveDesign } from "../../qr/design.ts";
import { renderSvg } from "../../qr/svg.ts";
import { buildSymbol } from "../../qr/symbol.ts";

const MODULE_PX = 8;

/** Draws the QR code of a URL as SVG, in the default design. */
export function drawQr(content: string): string {
  const design = resolveDesign({});
  return renderSvg(buildSymbol(content, design.level, null), design, MODULE_PX, null);
}
