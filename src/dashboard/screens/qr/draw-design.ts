import { ApiError } from "../../../core/error.ts";
import { type DesignInput, resolveDesign } from "../../../qr/design.ts";
import { findColourFaults } from "../../../qr/design-faults.ts";
import { SIZE_DEFAULT } from "../../../qr/image-size.ts";
import { renderSvg } from "../../../qr/svg.ts";
import { buildSymbol, type QrSymbol } from "../../../qr/symbol.ts";

/** Drawing of a code in the browser, by the code that the service draws with. */

/** Code that was drawn, or why it could not be. */
export type Drawing =
  | { svg: string; symbol: QrSymbol; fault: null }
  | { svg: null; symbol: null; fault: { field: string; message: string } };

/**
 * Draws a code as SVG: the same bytes as the service's at its default size. `logo` is the data URI of the logo; its
 * place stays empty while that is null.
 */
export function drawDesign(content: string, input: DesignInput, logo: string | null): Drawing {
  const design = resolveDesign(input);
  try {
    const symbol = buildSymbol(content, design.level, design.logoUrl === null ? null : design.logoSize);
    const hasLogo = design.logoUrl !== null && logo !== null;
    const svgLogo = hasLogo ? { dataUri: logo, side: symbol.logoSide } : null;
    return { svg: renderSvg(symbol, design, SIZE_DEFAULT, svgLogo), symbol, fault: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.details?.[0] === undefined) throw error;
    return { svg: null, symbol: null, fault: error.details[0] };
  }
}

/** Returns true if the service would render a design: its colours can be told apart. */
export function isAllowedDesign(input: DesignInput): boolean {
  return findColourFaults(resolveDesign(input)).length === 0;
}

const EMBEDDED = / href="(data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+)"/;

/** Returns the logo that an SVG of the service contains, as a data URI, or null. */
export function extractLogo(svg: string): string | null {
  return EMBEDDED.exec(svg)?.[1] ?? null;
}

/** Returns the data URI of an SVG, for a picture of a few kilobytes. */
export function toDataUri(svg: string): string {
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
