// Pure: no I/O, clock or randomness.
import { ApiError } from "../../../core/error.ts";
import { type DesignInput, resolveDesign } from "../../../qr/design.ts";
import { findColourProblems } from "../../../qr/design-problems.ts";
import { explainMissingCharacter, type Font, findMissingCharacter } from "../../../qr/font.ts";
import { drawFrame } from "../../../qr/frame.ts";
import { SIZE_DEFAULT } from "../../../qr/image-size.ts";
import { renderSvg } from "../../../qr/svg.ts";
import { buildSymbol, type QrSymbol } from "../../../qr/symbol.ts";

/** Draws QR codes in the browser with the server's own drawing code. */

/** Drawn code, or the error that prevented it. */
export type Drawing =
  | { svg: string; symbol: QrSymbol; fault: null }
  | { svg: null; symbol: null; fault: { field: string; message: string } };

/**
 * Draws a code as SVG, byte for byte as the API does at its default size. `logo` is the data URI of the logo.
 * While it is null, the logo's area stays empty. While `font` is null, the frame has no text.
 */
export function drawDesign(
  content: string,
  input: DesignInput,
  logo: string | null,
  font: Font | null = null,
): Drawing {
  const design = resolveDesign(input);
  const missing = design.frame && font && findMissingCharacter(design.frame.text, font);
  if (missing !== null) {
    const fault = { field: "design.frame.text", message: explainMissingCharacter(missing) };
    return { svg: null, symbol: null, fault };
  }
  try {
    const symbol = buildSymbol(content, design.level, design.logoUrl === null ? null : design.logoSize);
    const hasLogo = design.logoUrl !== null && logo !== null;
    const svgLogo = hasLogo ? { dataUri: logo, side: symbol.logoSide } : null;
    const frame = drawFrame(design, symbol.matrix.side, font);
    return { svg: renderSvg(symbol, design, SIZE_DEFAULT, svgLogo, frame), symbol, fault: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.details?.[0] === undefined) throw error;
    return { svg: null, symbol: null, fault: error.details[0] };
  }
}

/** Returns true if the API would accept the colours of a design, which need enough contrast. */
export function isAllowedDesign(input: DesignInput): boolean {
  return findColourProblems(resolveDesign(input)).length === 0;
}

/** Returns an SVG as a data URI. Use it for small images only. */
export function toDataUri(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
