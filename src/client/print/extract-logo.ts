// Pure: no I/O, clock or randomness.
import { LOGO_OBJECT, type PdfLogoObjects } from "../../qr/pdf.ts";
import type { PdfObject } from "../../qr/pdf-file.ts";

/** Reads the logo out of a code that the API rendered. The API fetches, checks and converts logos. */

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
