import { extractPdfLogo, extractSvgLogo } from "../../../client/print/extract-logo.ts";
import type { DesignInput } from "../../../qr/design.ts";
import type { PdfLogoObjects } from "../../../qr/pdf.ts";
import { createOfflineFault } from "../../data/call-error.ts";
import { api, readFault, type Schemas } from "../../data/calls.ts";

/** Images of QR codes that the API renders, for formats that the browser doesn't draw. */

/** Format and size of an image. `width` is in pixels, `width_mm` in millimetres. */
export type ImageSize = { format: "png"; width: number } | { format: "pdf"; width_mm: number };

/** Renders a code as a file. Throws `CallError`. */
export async function renderImage(content: string, design: DesignInput, size: ImageSize): Promise<Blob> {
  const body = { content, ...size, design: design as Schemas["QrDesign"] };
  const result = await api.POST("/v1/qr/generate", { body, parseAs: "blob" }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  return result?.data as unknown as Blob;
}

/** Content of the code that shows a logo. It is arbitrary, but its code is large enough for the logo. */
const LOGO_SAMPLE = "https://example.com/logo";
const LOGO_SAMPLE_MM = 40;

/** Reads a logo through the API, as objects of a PDF. Throws `CallError`. */
export async function readPdfLogo(logoUrl: string): Promise<PdfLogoObjects | null> {
  const design = { logo_url: logoUrl, error_correction: "H" } as const;
  const pdf = await renderImage(LOGO_SAMPLE, design, { format: "pdf", width_mm: LOGO_SAMPLE_MM });
  return extractPdfLogo(new Uint8Array(await pdf.arrayBuffer()));
}

/**
 * Reads a logo through the API, as a data URI. The API is used because the browser can't read images of other
 * origins, and because the API enforces its rules for logos and converts some formats. Throws `CallError`.
 */
export async function readLogo(logoUrl: string): Promise<string | null> {
  const design = { logo_url: logoUrl, error_correction: "H" } as const;
  const body = { content: LOGO_SAMPLE, format: "svg", design } as const;
  const result = await api.POST("/v1/qr/generate", { body, parseAs: "text" }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  return extractSvgLogo(result?.data as unknown as string);
}
