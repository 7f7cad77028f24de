// Pure: no I/O, clock or randomness.
import { type DesignInput, resolveDesign } from "../../qr/design.ts";
import { type Format, LOGO_DECODED_SIDE_MAX } from "../../qr/image-size.ts";
import type { Level } from "../../qr/matrix.ts";
import { LOGO_OBJECT, type PdfLogoObjects } from "../../qr/pdf.ts";
import type { PdfObject } from "../../qr/pdf-file.ts";
import type { PngLogo } from "../../qr/png.ts";
import { buildSymbol, type QrSymbol } from "../../qr/symbol.ts";
import { cutOutLogo } from "./png-logo.ts";

/** Reads the logo out of a code that the API rendered. The API fetches, checks and converts logos. */

/** Logo of a design, in the form that one of the formats needs. The other forms are null. */
export interface PrintLogo {
  /** Data URI for SVG. */
  dataUri: string | null;
  /** Objects for PDF. */
  objects: PdfLogoObjects | null;
  /** Pixels for PNG, on the background of the design. */
  pixels: PngLogo | null;
}

export const NO_LOGO: PrintLogo = { dataUri: null, objects: null, pixels: null };

/** Content of the code that shows a logo. It is arbitrary, but its code is large enough for any logo. */
const SAMPLE = "https://example.com/logo";
const SAMPLE_LEVEL: Level = "H";

/** Returns the body for `POST /v1/qr/generate` whose image {@link extractLogo} reads. */
export function buildLogoRequest(input: DesignInput, format: Format) {
  const { logo_url, logo_size, background_color } = input;
  const design = {
    error_correction: SAMPLE_LEVEL,
    ...(logo_url !== undefined && { logo_url }),
    ...(logo_size !== undefined && { logo_size }),
    ...(background_color !== undefined && { background_color }),
  };
  const size = format === "png" && { size: computeSampleSize(drawSample(input)) };
  return { content: SAMPLE, format, design, ...size };
}

/** Reads the logo out of the image that the API rendered. */
export async function extractLogo(image: Uint8Array, input: DesignInput, format: Format): Promise<PrintLogo> {
  if (format === "svg") return { ...NO_LOGO, dataUri: extractSvgLogo(new TextDecoder().decode(image)) };
  if (format === "pdf") return { ...NO_LOGO, objects: extractPdfLogo(image) };
  const symbol = drawSample(input);
  const size = computeSampleSize(symbol);
  const side = Math.floor(symbol.logoSide * size);
  const margin = resolveDesign({}).quietZone * size;
  const start = margin + Math.round((symbol.matrix.side * size - side) / 2);
  return { ...NO_LOGO, pixels: await cutOutLogo(image, { start, side }) };
}

function drawSample(design: DesignInput): QrSymbol {
  return buildSymbol(SAMPLE, SAMPLE_LEVEL, resolveDesign(design).logoSize);
}

/** Returns the pixels per module with which the API doesn't scale the logo up. */
function computeSampleSize({ logoSide }: QrSymbol): number {
  return Math.floor(LOGO_DECODED_SIDE_MAX / logoSide);
}

const EMBEDDED = / href="(data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+)"/;

/** Returns the logo embedded in an SVG of the API as a data URI, or null. */
export function extractSvgLogo(svg: string): string | null {
  return EMBEDDED.exec(svg)?.[1] ?? null;
}

/** Returns the image objects of the logo in a PDF of the API, or null. */
export function extractPdfLogo(pdf: Uint8Array): PdfLogoObjects | null {
  // Latin-1 has one character per byte, so positions in the text are positions in the file.
  const text = new TextDecoder("latin1").decode(pdf);
  const objects: PdfObject[] = [];
  for (let from = 0; ; ) {
    const number = LOGO_OBJECT + objects.length;
    const head = new RegExp(`\\n${number} 0 obj\\n<< ([^\\n]*) /Length (\\d+) >>\\nstream\\n`, "g");
    head.lastIndex = from;
    const found = head.exec(text);
    if (found === null) break;
    const start = head.lastIndex;
    from = start + Number(found[2]);
    objects.push({ entries: found[1] ?? "", stream: pdf.subarray(start, from) });
  }
  const [, width, height] = /\/Width (\d+) \/Height (\d+)/.exec(objects[0]?.entries ?? "") ?? [];
  return width === undefined ? null : { width: Number(width), height: Number(height), objects };
}
