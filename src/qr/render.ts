import { createValidationError } from "../core/error.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { Design } from "./design.ts";
import { listWarnings } from "./design.ts";
import { createLogoError, loadLogo } from "./logo.ts";
import type { Level } from "./matrix.ts";
import { computePixelSide, type PngLogo, renderPng } from "./png.ts";
import { buildDataUri, DECODED_PIXELS_MAX, type EncodedImage, isDecodable, rasterize } from "./raster.ts";
import { renderSvg, type SvgLogo } from "./svg.ts";
import { buildSymbol, type QrSymbol } from "./symbol.ts";

export const FORMATS = ["svg", "png"] as const;
export type Format = (typeof FORMATS)[number];

export const MEDIA_TYPES: Record<Format, string> = { svg: "image/svg+xml", png: "image/png" };

/** Rendered QR code. */
export interface Rendering {
  image: string | Uint8Array;
  version: number;
  /** Error correction level used, at least the requested one. */
  level: Level;
  warnings: string[];
}

/**
 * Maximum number of pixels per side of a PNG with a logo. Such a PNG has three bytes per pixel to compress, which is
 * 50 MB at this side. A PNG without a logo needs no limit.
 */
const LOGO_PNG_MAX_PIXELS = 4_096;

/** Renders a QR code. Throws `VALIDATION_ERROR` for `content`, `size`, `design.logo_url` or `design.logo_size`. */
export async function renderQrCode(
  tenant: Tenant,
  content: string,
  design: Design,
  format: Format,
  size: number,
): Promise<Rendering> {
  const symbol = buildSymbol(content, design.level, design.logoUrl === null ? null : design.logoSize);
  const { version, level } = symbol.matrix;
  if (design.logoUrl !== null && format === "png") checkLogoPngSize(symbol, design, size);
  const logo = design.logoUrl === null ? null : await loadLogo(tenant, design.logoUrl);
  const image =
    format === "svg"
      ? renderSvg(symbol, design, size, logo && buildSvgLogo(logo, symbol))
      : await renderPng(symbol, design, size, logo && (await buildPngLogo(logo, symbol, size)));
  return { image, version, level, warnings: listWarnings(design) };
}

function checkLogoPngSize(symbol: QrSymbol, design: Design, size: number): void {
  if (computePixelSide(symbol, design, size) <= LOGO_PNG_MAX_PIXELS) return;
  const largest = Math.floor(LOGO_PNG_MAX_PIXELS / computePixelSide(symbol, design, 1));
  throw createValidationError({
    field: "size",
    message: `must be at most ${largest} for a PNG of this content with a logo`,
  });
}

function buildSvgLogo(image: EncodedImage, { logoSide }: QrSymbol): SvgLogo {
  return { dataUri: buildDataUri(image), side: logoSide };
}

async function buildPngLogo(image: EncodedImage, symbol: QrSymbol, size: number): Promise<PngLogo> {
  if (!isDecodable(image)) {
    throw createLogoError(
      `must have at most ${DECODED_PIXELS_MAX} pixels for format png; format svg allows more`,
    );
  }
  const side = Math.max(1, Math.floor(symbol.logoSide * size));
  const logo = await rasterize(image, side);
  if (logo === null) throw createLogoError("cannot be decoded");
  return logo;
}
