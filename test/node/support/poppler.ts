import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pixels } from "../../support/png.ts";

/** Returns true if poppler is installed. Otherwise prints that the named tests are skipped. */
export function hasPoppler(tests: string): boolean {
  if (spawnSync("pdftoppm", ["-v"]).error === undefined) return true;
  console.warn(`${tests}: SKIPPED, no pdftoppm found (Debian: apt-get install poppler-utils)`);
  return false;
}

/** Rasterizes the first page of a PDF with poppler. Throws if poppler reports an error in the file. */
export function rasterizePdf(pdf: Uint8Array, pixelsPerInch: number): Pixels {
  const folder = mkdtempSync(join(tmpdir(), "signpost-pdf-"));
  try {
    const file = join(folder, "qr.pdf");
    writeFileSync(file, pdf);
    const options = ["-singlefile", "-r", String(pixelsPerInch), file, join(folder, "page")];
    const { stderr, status } = spawnSync("pdftoppm", options, { encoding: "utf8" });
    if (status !== 0 || stderr !== "") throw new Error(`pdftoppm: ${stderr}`);
    return readPpm(readFileSync(join(folder, "page.ppm")));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the lines of text of a PDF, in the order of its content. */
export function readPdfLines(pdf: Uint8Array): string[] {
  const { stdout, stderr, status } = spawnSync("pdftotext", ["-raw", "-", "-"], {
    input: pdf,
    encoding: "utf8",
  });
  if (status !== 0 || stderr !== "") throw new Error(`pdftotext: ${stderr}`);
  return stdout.split(/[\n\f]/).filter((line) => line !== "");
}

/** Reads a file in the portable pixmap format (Netpbm P6) with one byte per channel. */
function readPpm(file: Buffer): Pixels {
  const [head = "", width, height] = /^P6\n(\d+) (\d+)\n255\n/.exec(file.toString("latin1", 0, 50)) ?? [];
  const pixels = { width: Number(width), height: Number(height) };
  const data = new Uint8ClampedArray(pixels.width * pixels.height * 4).fill(255);
  for (let to = 0, from = head.length; to < data.length; to += 4, from += 3) {
    data[to] = file[from] as number;
    data[to + 1] = file[from + 1] as number;
    data[to + 2] = file[from + 2] as number;
  }
  return { ...pixels, data };
}
