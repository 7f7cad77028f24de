import type { DesignInput } from "../../../qr/design.ts";
import { createOfflineFault } from "../../data/api-fault.ts";
import { api, readFault, type Schemas } from "../../data/calls.ts";
import { extractLogo } from "./draw-design.ts";

/** Images of codes that the service renders, for what the browser does not draw. */

/** Format and size of an image. */
export type ImageSize = { format: "png"; width: number } | { format: "pdf"; width_mm: number };

/** Renders a code as a file. Throws an `ApiFault`. */
export async function renderImage(content: string, design: DesignInput, size: ImageSize): Promise<Blob> {
  const body = { content, ...size, design: design as Schemas["QrDesign"] };
  const result = await api.POST("/v1/qr/generate", { body, parseAs: "blob" }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  return result?.data as unknown as Blob;
}

/**
 * Reads a logo by way of the service, as a data URI. Its rules apply, pages of other origins cannot be asked from here,
 * and it converts some files.
 */
export async function readLogo(logoUrl: string): Promise<string | null> {
  // Any content will do: a code on which the logo fits.
  const design = { logo_url: logoUrl, error_correction: "H" } as const;
  const body = { content: "https://example.com/logo", format: "svg", design } as const;
  const result = await api.POST("/v1/qr/generate", { body, parseAs: "text" }).catch(() => null);
  const fault = result === null ? createOfflineFault() : readFault(result);
  if (fault !== null) throw fault;
  return extractLogo(result?.data as unknown as string);
}
