import QRCode from "qrcode";
import { describe, expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { LEVELS } from "../../src/qr/matrix.ts";
import { renderPng } from "../../src/qr/png.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { readPng } from "../support/png.ts";
import { buildText, listFailingDecoders, rasterizeSvg } from "./support/qr-decoders.ts";

test.each([
  ["https://go.example.com/a?b=1&c=<x>", "QR code of https://go.example.com/a?b=1&amp;c=%3Cx%3E"],
  ["HTTPS://GO.EXAMPLE.COM/AB12CD3", "QR code of https://go.example.com/AB12CD3"],
  [`https://a.example/${"b".repeat(90)}`, `QR code of https://a.example/${"b".repeat(82)}…`],
  ["WIFI:S:<secret>;;", "QR code"],
  ["https://", "QR code"],
])("the SVG of %s has a title", (content, title) => {
  const svg = renderSvg(buildSymbol(content, "M", null), resolveDesign({}), 10, null);
  expect(svg).toContain(`><title>${title}</title><`);
});

describe("an SVG of square modules", () => {
  test.each([10, 30, 120, 400, 1_000])(
    "of %d characters is smaller than the SVG of the package qrcode",
    async (length) => {
      const content = buildText(length);
      for (const errorCorrectionLevel of LEVELS) {
        const symbol = buildSymbol(content, errorCorrectionLevel, null);
        const theirs = await QRCode.toString(content, { type: "svg", errorCorrectionLevel, margin: 1 });
        // Both have the same version and quiet zone.
        const side = symbol.matrix.side + 2;
        expect(theirs).toContain(`viewBox="0 0 ${side} ${side}"`);
        const ours = renderSvg(symbol, resolveDesign({}), 10, null).replace(/<title>.*<\/title>/, "");
        expect(ours.length).toBeLessThan(theirs.length);
      }
    },
  );

  test.each([
    ["one colour", {}],
    ["another colour for the corners", { corner_color: "#1a73e8" }],
    ["a wide quiet zone", { quiet_zone: 20 }],
    ["no quiet zone", { quiet_zone: 0 }],
  ])("with %s has the same pixels as the PNG at every size", async (_, input) => {
    const design = resolveDesign({ ...input, foreground_color: "#0b5d51", background_color: "#fef7e0" });
    const symbol = buildSymbol(buildText(150), "M", 0.2);
    for (const size of [1, 2, 3, 10]) {
      const svg = await rasterizeSvg(renderSvg(symbol, design, size, null));
      const png = await readPng(await renderPng(symbol, design, size, null));
      expect([svg.width, svg.height]).toEqual([png.width, png.height]);
      expect(Buffer.from(svg.data).equals(Buffer.from(png.data)), `size ${size}`).toBe(true);
    }
  });

  test.each([4, 5, 10, 20])(
    "with a quiet zone of %i modules has its width and is readable",
    async (quiet_zone) => {
      const content = buildText(60);
      const symbol = buildSymbol(content, "M", null);
      const svg = renderSvg(symbol, resolveDesign({ quiet_zone }), 4, null);
      const side = (symbol.matrix.side + 2 * quiet_zone) * 4;
      expect(svg).toContain(`width="${side}" height="${side}"`);
      const pixels = await rasterizeSvg(svg);
      expect(await listFailingDecoders(pixels, content)).toEqual([]);
      // The zone is all light: it has no dark pixel in any of the four directions.
      const isDark = (x: number, y: number) => (pixels.data[4 * (y * side + x)] as number) < 128;
      const zone = quiet_zone * 4;
      for (let at = 0; at < side; at++) {
        for (const [x, y] of [
          [at, zone - 1],
          [zone - 1, at],
          [at, side - zone],
          [side - zone, at],
        ] as const) {
          expect(isDark(x, y)).toBe(false);
        }
      }
      expect([isDark(zone, zone), isDark(side - zone - 1, zone), isDark(zone, side - zone - 1)]).toEqual([
        true,
        true,
        true,
      ]);
    },
  );

  test("is not mirrored", async () => {
    // One module is always dark (ISO/IEC 18004 section 7.9): row 4V + 9, column 8, next to the lower left
    // finder pattern. A mirrored code has a format bit at this position, which is light in this code.
    const symbol = buildSymbol(buildText(22), "M", null);
    expect(symbol.matrix.version).toBe(2);
    const { data, width } = await rasterizeSvg(renderSvg(symbol, resolveDesign({ quiet_zone: 0 }), 1, null));
    const isDark = (row: number, column: number) => (data[4 * (row * width + column)] as number) < 128;
    expect([isDark(17, 8), isDark(8, 17)]).toEqual([true, false]);
  });

  test("with a width that is no multiple of its modules is readable", async () => {
    const content = buildText(60);
    const symbol = buildSymbol(content, "M", null);
    for (const width of [80, 100, 256, 333, 1_000]) {
      const svg = renderSvg(symbol, resolveDesign({}), width / (symbol.matrix.side + 2), null);
      expect(svg).toContain(`width="${width}" height="${width}"`);
      expect(await listFailingDecoders(await rasterizeSvg(svg), content), String(width)).toEqual([]);
    }
  });
});
