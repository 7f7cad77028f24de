import { invalid } from "../core/error.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { Design } from "./design.ts";
import { listWarnings } from "./design.ts";
import { loadLogo, logoError } from "./logo.ts";
import type { Level } from "./matrix.ts";
import { type PngLogo, pixelsASide, renderPng } from "./png.ts";
import { dataUri, isDecodable, type Picture, rasterize } from "./raster.ts";
import { renderSvg } from "./svg.ts";
import { type QrSymbol, symbolFor } from "./symbol.ts";

export const FORMATS = ["svg", "png"] as const;
export type Format = (typeof FORMATS)[number];

export const MEDIA_TYPES: Record<Format, string> = { svg: "image/svg+xml", png: "image/png" };

/** A rendered QR code. */
export interface Rendering {
  image: string | Uint8Array;
  version: number;
  /** The level used: not below the one asked for. */
  level: Level;
  warnings: string[];
}

/**
 * Pixels a side of a PNG with a logo, which has three bytes a pixel to be compressed: 50 MB at this side. Without a
 * logo no bound is needed.
 */
const LOGO_PNG_MAX_PIXELS = 4_096;

/** Draws a QR code. Throws `VALIDATION_ERROR` naming `content`, `size`, `design.logo_url` or `design.logo_size`. */
export async function render(
  tenant: Tenant,
  content: string,
  design: Design,
  format: Format,
  size: number,
): Promise<Rendering> {
  const symbol = symbolFor(content, design.level, design.logoUrl === null ? null : design.logoSize);
  const { version, level } = symbol.matrix;
  if (design.logoUrl !== null && format === "png") requireLogoSize(symbol, design, size);
  const picture = design.logoUrl === null ? null : await loadLogo(tenant, design.logoUrl);
  const image =
    format === "svg"
      ? renderSvg(symbol, design, size, picture && svgLogo(picture, symbol))
      : await renderPng(symbol, design, size, picture && (await pngLogo(picture, symbol, size)));
  return { image, version, level, warnings: listWarnings(design) };
}

function requireLogoSize(symbol: QrSymbol, design: Design, size: number): void {
  if (pixelsASide(symbol, design, size) <= LOGO_PNG_MAX_PIXELS) return;
  const largest = Math.floor(LOGO_PNG_MAX_PIXELS / pixelsASide(symbol, design, 1));
  throw invalid({
    field: "size",
    message: `must be at most ${largest} for a PNG of this content with a logo`,
  });
}

function svgLogo(picture: Picture, { logoSide }: QrSymbol) {
  return { dataUri: dataUri(picture), side: logoSide };
}

async function pngLogo(picture: Picture, symbol: QrSymbol, size: number): Promise<PngLogo> {
  if (!isDecodable(picture)) {
    throw logoError("has too many pixels for a PNG: at most 4 million; or take the format svg");
  }
  const side = Math.max(1, Math.floor(symbol.logoSide * size));
  const logo = await rasterize(picture, side);
  if (logo === null) throw logoError("cannot be decoded");
  return logo;
}
