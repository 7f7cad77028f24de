import {
  buildLogoRequest,
  extractLogo,
  NO_LOGO,
  type PrintLogo,
} from "../../../client/print/extract-logo.ts";
import type { DesignInput } from "../../../qr/design.ts";
import type { Format } from "../../../qr/image-size.ts";
import { createOfflineFault } from "../../data/call-error.ts";
import { api, readFault, type Schemas } from "../../data/calls.ts";

/** Images of QR codes that the API renders, for formats that the browser doesn't draw. */

/** Format and size of an image. `width` is in pixels, `width_mm` in millimetres. */
export type ImageSize = { format: "png"; width: number } | { format: "pdf"; width_mm: number };

/** Renders a code as a file. Throws `CallError`. */
export function renderImage(content: string, design: DesignInput, size: ImageSize): Promise<Blob> {
  return callImage({ content, ...size, design: design as Schemas["QrDesign"] });
}

/**
 * Reads a design's logo through the API, in the form that a format needs. The API is used because the browser can't read
 * images of other origins, and because the API enforces its rules for logos and converts some formats. Throws
 * `CallError`.
 */
export async function readPrintLogo(design: DesignInput, format: Format): Promise<PrintLogo> {
  if (design.logo_url === undefined) return NO_LOGO;
  const image = await callImage(buildLogoRequest(design, format));
  return extractLogo(new Uint8Array(await image.arrayBuffer()), design, format);
}

/** Reads a logo as a data URI. Throws `CallError`. */
export async function readLogo(logo_url: string): Promise<string | null> {
  return (await readPrintLogo({ logo_url }, "svg")).dataUri;
}

async function callImage(body: { content: string; design: Schemas["QrDesign"] }): Promise<Blob> {
  const result = await api.POST("/v1/qr/generate", { body, parseAs: "blob" }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  return result?.data as unknown as Blob;
}
