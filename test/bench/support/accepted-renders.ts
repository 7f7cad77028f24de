import { copyFileSync, mkdtempSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build as bundle } from "esbuild";
import type { DesignInput } from "../../../src/qr/design.ts";
import { compressPicture } from "../../../src/qr/picture-data.ts";
import { wrapPngData } from "../../../src/qr/png-file.ts";
import { DOT_STYLES } from "../../../src/qr/shape.ts";
import type { AcceptedRender } from "../qr-accepted.worker.ts";

/** The largest renders that the API accepts. */

const require = createRequire(import.meta.url);

/** Number of characters in the largest QR code, version 40 at level L. */
const CONTENT_LENGTH = 2_953;
/** Side of the largest logo that the API decodes, in pixels. */
const LOGO_SIDE = 1_024;

interface Render {
  name: string;
  request: Omit<AcceptedRender, "runs">;
  logo: Uint8Array<ArrayBuffer>;
}

/** Yields the largest render for each style and format. */
export async function* listAcceptedRenders(): AsyncGenerator<Render> {
  const none = new Uint8Array();
  const styles: DesignInput = { corner_style: "dot", error_correction: "L" };
  for (const dot_style of DOT_STYLES) {
    for (const corner_color of [undefined, "#102030"]) {
      const design = {
        ...styles,
        dot_style,
        quiet_zone: 20,
        ...(corner_color !== undefined && { corner_color }),
      };
      const name = `png ${dot_style}${corner_color === undefined ? "" : ", two colours"}, size 50`;
      yield {
        name,
        request: { content: buildContent(CONTENT_LENGTH), design, input: { format: "png", size: 50 } },
        logo: none,
      };
    }
    for (const format of ["svg", "pdf"] as const) {
      const request = {
        content: buildContent(CONTENT_LENGTH),
        design: { ...styles, dot_style },
        input: { format },
      };
      yield { name: `${format} ${dot_style}`, request, logo: none };
    }
  }
  const logo = await drawLogo();
  for (const [logo_size, width] of [
    [0.2, 2_500],
    [0.4, 1_250],
  ] as const) {
    const design: DesignInput = { dot_style: "rounded", logo_url: LOGO_URL, logo_size };
    for (const input of [{ format: "svg" }, { format: "pdf" }, { format: "png", width }] as const) {
      yield {
        name: `${input.format} with a logo of ${logo_size}`,
        request: { content: buildContent(150), design, input },
        logo,
      };
    }
  }
}

const LOGO_URL = "https://cdn.example.com/018f3f3e-0000-7000-8000-000000000000/logo";

function buildContent(length: number): string {
  return "https://example.com/".padEnd(length, "abcDEF12-").slice(0, length);
}

/** Draws a translucent image whose file is just below the size limit for logos. */
async function drawLogo(): Promise<Uint8Array<ArrayBuffer>> {
  const pixels = new Uint8Array(LOGO_SIDE * LOGO_SIDE * 4);
  for (let i = 0; i < pixels.length; i++) {
    // One row in twelve is noise, which results in a file of about 700 kB.
    const isNoise = Math.floor(i / 4 / LOGO_SIDE) % 12 === 0;
    pixels[i] = i % 4 === 3 ? 200 : isNoise ? Math.imul(i, 2_654_435_761) >>> 24 : i >> 14;
  }
  const data = await compressPicture(pixels, LOGO_SIDE * 4);
  return wrapPngData({ width: LOGO_SIDE, height: LOGO_SIDE, bitDepth: 8, color: "rgba" }, data).slice();
}

/** Bundles the Worker for these renders and its WebAssembly into a temporary folder. */
export async function buildAcceptedWorker(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "signpost-qr-bench-"));
  await bundle({
    entryPoints: [join(import.meta.dirname, "../qr-accepted.worker.ts")],
    outfile: join(folder, "worker.mjs"),
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker"],
    minify: true,
    logLevel: "error",
    plugins: [
      {
        name: "WebAssembly as modules",
        setup({ onResolve }) {
          onResolve({ filter: /\.wasm$/ }, ({ path, resolveDir }) => {
            const file = path.startsWith(".") ? join(resolveDir, path) : require.resolve(path);
            const name = file.slice(file.lastIndexOf("/") + 1);
            copyFileSync(file, join(folder, name));
            return { path: `./${name}`, external: true };
          });
          onResolve({ filter: /^(?:node|cloudflare):/ }, ({ path }) => ({ path, external: true }));
        },
      },
    ],
  });
  return folder;
}
