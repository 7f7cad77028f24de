import { createValidationError } from "../core/error.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { findContentWarning } from "./content-warning.ts";
import type { Design } from "./design.ts";
import { findColourProblems, listWarningNames } from "./design-problems.ts";
import { loadFont } from "./font.ts";
import { drawFrame, type FrameDrawing, findFrameProblem, layOutImage } from "./frame.ts";
import { readJpegFrame } from "./image-header.ts";
import {
  type Format,
  findModuleMaxPx,
  type ImageInput,
  LOGO_DECODED_SIDE_MAX,
  MODULE_MIN_PX,
  SIZE_DEFAULT,
  WIDTH_MM_DEFAULT,
} from "./image-size.ts";
import { checkLogo, createLogoError, drawWithLogo } from "./logo.ts";
import type { Level } from "./matrix.ts";
import { type PdfLogo, renderPdf } from "./pdf.ts";
import { computePixelWidth, type PngLogo, renderPng } from "./png.ts";
import { buildDataUri, DECODED_PIXELS_MAX, type EncodedImage, isDecodable, rasterize } from "./raster.ts";
import { renderSvg } from "./svg.ts";
import { buildSymbol, type QrSymbol } from "./symbol.ts";
import { type Pause, takeTurn } from "./turns.ts";

export const MEDIA_TYPES: Record<Format, string> = {
  svg: "image/svg+xml",
  png: "image/png",
  pdf: "application/pdf",
};

/** Rendered QR code. */
export interface Rendering {
  image: string | Uint8Array;
  version: number;
  /** Error correction level of the symbol, at least the requested one. */
  level: Level;
  /** Warning names for the `X-QR-Warning` header. */
  warnings: string[];
}

/**
 * Renders a QR code. Logos on the CDN are read from `publicFiles`, the bucket of published files. Throws
 * `VALIDATION_ERROR` for `content`, `size`, `width` or a member of `design`.
 */
export async function renderQrCode(
  tenant: Tenant,
  publicFiles: R2Bucket,
  content: string,
  design: Design,
  input: ImageInput,
): Promise<Rendering> {
  // Checks again, because a template may have been saved before a rule was added.
  const [problem, ...otherProblems] = findColourProblems(design);
  if (problem !== undefined) throw createValidationError(problem, ...otherProblems);
  const frameProblem = await findFrameProblem(design);
  if (frameProblem !== null) throw createValidationError(frameProblem);
  const symbol = buildSymbol(content, design.level, design.logoUrl === null ? null : design.logoSize);
  checkPixels(symbol, design, input);
  const frame = design.frame && drawFrame(design, symbol.matrix.side, await loadFont());
  const render = (logo: EncodedImage | null, isChecked: boolean) =>
    takeTurn((pause) => renderImage(symbol, design, input, logo, isChecked, pause, frame));
  const image = await (design.logoUrl === null
    ? render(null, true)
    : drawWithLogo(tenant, publicFiles, design.logoUrl, render));
  const { version, level } = symbol.matrix;
  const contentWarning = findContentWarning(content);
  const warnings = [...(contentWarning === null ? [] : [contentWarning.name]), ...listWarningNames(design)];
  return { image, version, level, warnings };
}

/** Throws `VALIDATION_ERROR` if modules have too few pixels, or a PNG's logo or framed image has too many. */
function checkPixels(symbol: QrSymbol, design: Design, { format, size = SIZE_DEFAULT, width }: ImageInput) {
  const modules = computePixelWidth(symbol, design, 1);
  if (width !== undefined && width < modules * MODULE_MIN_PX) {
    const message = `must be at least ${modules * MODULE_MIN_PX} for this content: ${MODULE_MIN_PX} pixels per module`;
    throw createValidationError({ field: "width", message });
  }
  if (format !== "png") return;
  const sizeMax = findModuleMaxPx(symbol.logoSide, design.frame && layOutImage(design, symbol.matrix.side));
  const pixels = width === undefined ? size : Math.floor(width / modules);
  if (pixels <= sizeMax) return;
  const [field, limit] = width === undefined ? ["size", sizeMax] : ["width", (sizeMax + 1) * modules - 1];
  const cause = design.frame === null ? "logo of this size" : "frame or logo";
  const message = `must be at most ${limit} for a PNG with a ${cause}; svg and pdf have no such limit`;
  throw createValidationError({ field, message });
}

async function renderImage(
  symbol: QrSymbol,
  design: Design,
  { format, size = SIZE_DEFAULT, width, width_mm: widthMm = WIDTH_MM_DEFAULT }: ImageInput,
  logo: EncodedImage | null,
  isChecked: boolean,
  pause: Pause,
  frame: FrameDrawing | null,
): Promise<string | Uint8Array> {
  if (format === "pdf")
    return renderPdf(symbol, design, widthMm, logo && (await buildPdfLogo(logo, isChecked)), frame);
  const modules = computePixelWidth(symbol, design, 1);
  if (format === "svg") {
    if (logo !== null && !isChecked) await checkLogo(logo);
    const svgLogo = logo && { dataUri: buildDataUri(logo), side: symbol.logoSide };
    return renderSvg(symbol, design, width === undefined ? size : width / modules, svgLogo, frame);
  }
  const pixels = width === undefined ? size : Math.floor(width / modules);
  const pngLogo = logo && (await buildPngLogo(logo, symbol, pixels));
  await pause();
  return renderPng(symbol, design, pixels, pngLogo, width, pause, frame);
}

async function buildPngLogo(image: EncodedImage, symbol: QrSymbol, size: number): Promise<PngLogo> {
  const side = Math.max(1, Math.floor(symbol.logoSide * size));
  return decodeLogo(image, Math.min(side, LOGO_DECODED_SIDE_MAX), "png");
}

/** Embeds a JPEG unchanged, so that it keeps its resolution. Decodes other images. */
async function buildPdfLogo(image: EncodedImage, isChecked: boolean): Promise<PdfLogo> {
  const components = findEmbeddableComponents(image);
  if (components !== null) {
    if (!isChecked) await checkLogo(image);
    return { width: image.width, height: image.height, data: { jpeg: image.bytes, components } };
  }
  const longerSide = Math.max(image.width, image.height);
  const { side, pixels } = await decodeLogo(image, Math.min(longerSide, LOGO_DECODED_SIDE_MAX), "pdf");
  return { width: side, height: side, data: { pixels } };
}

/**
 * Markers SOF0 to SOF2 (baseline to progressive Huffman coding), which every PDF viewer decodes (ITU-T T.81
 * table B.1).
 */
const SOF0 = 0xc0;
const SOF2 = 0xc2;

/**
 * Returns the number of colour components of a JPEG that can be embedded in a PDF unchanged, or null for
 * other images.
 */
function findEmbeddableComponents({ type, bytes }: EncodedImage): 1 | 3 | null {
  const frame = type === "image/jpeg" ? readJpegFrame(bytes) : null;
  if (frame === null || frame.marker < SOF0 || frame.marker > SOF2 || frame.precision !== 8) return null;
  return frame.components === 1 || frame.components === 3 ? frame.components : null;
}

/** Decodes a logo to a square of `side` pixels. Throws `VALIDATION_ERROR` for `design.logo_url`. */
async function decodeLogo(image: EncodedImage, side: number, format: Format): Promise<PngLogo> {
  if (!isDecodable(image)) {
    throw createLogoError(
      `must have at most ${DECODED_PIXELS_MAX} pixels for format ${format}; format svg allows more`,
    );
  }
  const logo = await rasterize(image, side);
  if (logo === null) throw createLogoError("cannot be decoded");
  return logo;
}
