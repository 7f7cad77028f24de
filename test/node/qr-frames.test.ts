import { describe, expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { findMissingCharacter, loadFont } from "../../src/qr/font.ts";
import { drawFrame, type FrameDrawing } from "../../src/qr/frame.ts";
import { FRAME_STYLES, FRAME_TEXT_MAX_LENGTH, type FrameStyle } from "../../src/qr/frame-style.ts";
import { renderPdf } from "../../src/qr/pdf.ts";
import { renderPng } from "../../src/qr/png.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { type Pixels, readPng } from "../support/png.ts";
import { hasPoppler, rasterizePdf } from "./support/poppler.ts";
import { listFailingDecoders, rasterizeSvg } from "./support/qr-decoders.ts";

/** Frames around QR codes, in all formats. */

const testWithPoppler = test.skipIf(!hasPoppler("PDF files of framed QR codes"));
const CONTENT = "https://go.example.com/spring";
const SIZE = 6;
const TEXTS: Record<FrameStyle, string> = {
  text: "Scan me",
  "label-below": "Żółć <&> “Ünï” №1",
  "label-above": "Σκανάρισέ με",
  border: "Отсканируй меня",
  balloon: "W".repeat(FRAME_TEXT_MAX_LENGTH),
};

async function drawFramed(style: FrameStyle) {
  const design = resolveDesign({
    frame: { style, text: TEXTS[style], color: "#0b5d51" },
    dot_style: style === "border" ? "rounded" : "square",
    corner_color: style === "balloon" ? "#333" : "#000",
  });
  const symbol = buildSymbol(CONTENT, "M", null);
  const frame = drawFrame(design, symbol.matrix.side, await loadFont()) as FrameDrawing;
  return { design, symbol, frame };
}

/** Returns the colours of the quiet zone as one set. */
function listQuietColours({ data, width }: Pixels, { left, top }: FrameDrawing, side: number, quiet: number) {
  const colours = new Set<string>();
  for (let y = 0; y < side + 2 * quiet; y++) {
    for (let x = 0; x < side + 2 * quiet; x++) {
      if (Math.min(x, y) >= quiet && Math.max(x, y) < side + quiet) continue;
      for (const [dx, dy] of [
        [0, 0],
        [SIZE - 1, SIZE - 1],
      ] as const) {
        const pixel = (((top + y) * SIZE + dy) * width + (left + x) * SIZE + dx) * 4;
        colours.add(data.slice(pixel, pixel + 3).join());
      }
    }
  }
  return colours;
}

describe.each(FRAME_STYLES)("%s", (style) => {
  test("a PNG and an SVG scan, and the quiet zone is clear", async () => {
    const { design, symbol, frame } = await drawFramed(style);
    const png = await readPng(await renderPng(symbol, design, SIZE, null, undefined, undefined, frame));
    const svg = await rasterizeSvg(renderSvg(symbol, design, SIZE, null, frame));
    expect([png.width, png.height]).toEqual([frame.width * SIZE, frame.height * SIZE]);
    for (const picture of [png, svg]) {
      expect([picture.width, picture.height]).toEqual([png.width, png.height]);
      expect(await listFailingDecoders(picture, CONTENT)).toEqual([]);
      const quiet = listQuietColours(picture, frame, symbol.matrix.side, design.quietZone);
      expect(quiet).toEqual(new Set(["255,255,255"]));
    }
    // Edges are smoothed in a different way, so that few pixels differ by more than a third.
    const differing = png.data.filter((value, i) => Math.abs(value - (svg.data[i] as number)) > 85);
    expect(differing.length / png.data.length).toBeLessThan(0.002);
  });

  testWithPoppler("a PDF scans, has the size of the frame, and only process colours", async () => {
    const { design, symbol, frame } = await drawFramed(style);
    const pdf = await renderPdf(symbol, design, frame.width, null, frame);
    const picture = rasterizePdf(pdf, SIZE * 25.4);
    expect(picture.width).toBeCloseTo(frame.width * SIZE, -1);
    expect(picture.height).toBeCloseTo(frame.height * SIZE, -1);
    expect(await listFailingDecoders(picture, CONTENT)).toEqual([]);
  });
});

test("a width in pixels is kept, and the pixels that are left widen the margin", async () => {
  const { design, symbol, frame } = await drawFramed("border");
  const width = frame.width * SIZE + 5;
  const png = await readPng(await renderPng(symbol, design, SIZE, null, width, undefined, frame));
  expect([png.width, png.height]).toEqual([width, frame.height * SIZE + 5]);
  expect(await listFailingDecoders(png, CONTENT)).toEqual([]);
});

test("a framed PNG with a logo scans", async () => {
  const design = resolveDesign({ frame: { style: "label-above" }, logo_url: "https://cdn.example/l.png" });
  const symbol = buildSymbol(CONTENT, "M", 0.2);
  const frame = drawFrame(design, symbol.matrix.side, await loadFont());
  const logo = {
    side: 2,
    pixels: Uint8Array.from([200, 0, 0, 255, 0, 200, 0, 255, 0, 0, 200, 255, 9, 9, 9, 128]),
  };
  const png = await readPng(await renderPng(symbol, design, SIZE, logo, undefined, undefined, frame));
  expect(await listFailingDecoders(png, CONTENT)).toEqual([]);
});

test.each([
  ["Scan me!", null],
  ["Ďakujem · Ευχαριστώ · Спасибо · Cảm ơn · 10 €", null],
  ["u\u0308", null],
  ["扫码", "扫"],
  ["مسح", "م"],
  ["a\nb", "\n"],
  ["😀", "😀"],
  ["\u0301", "\u0301"],
])("%j: the first character without an outline is %j", async (text, character) => {
  expect(findMissingCharacter(text, await loadFont())).toBe(character);
});
