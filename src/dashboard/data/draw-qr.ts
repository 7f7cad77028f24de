// Pure: no I/O, clock or randomness.
import { resolveDesign } from "../../qr/design.ts";
import { renderSvg } from "../../qr/svg.ts";
import { buildSymbol } from "../../qr/symbol.ts";
import { formatCompactUrl } from "../../routing/compact-code.ts";

const MODULE_PX = 8;

/** Draws the QR code of a URL as SVG, in the default design. A short code makes it compact. */
export function drawQr(url: string, shortCode: string | null): string {
  const design = resolveDesign({});
  const content = shortCode === null ? url : formatCompactUrl(url, shortCode);
  return renderSvg(buildSymbol(content, design.level, null), design, MODULE_PX, null);
}
