import { extractSvgLogo } from "../../../client/print/extract-logo.ts";
import type { DesignInput } from "../../../qr/design.ts";
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

/**
 * Reads a logo through the API, as a data URI. The API is used because the browser can't read images of other
 * origins, and because the API enforces its rules for logos and converts some formats. Throws `CallError`.
 */
export async function readLogo(logoUrl: string): Promise<string | null> {
  // The content is arbitrary, but its code must be large enough for the logo.
  const design = { logo_url: logoUrl, error_correction: "H" } as const;
  const body = { content: "https://example.com/logo", format: "svg", design } as const;
  const result = await api.POST("/v1/qr/generate", { body, parseAs: "text" }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  return extractSvgLogo(result?.data as unknown as string);
}
