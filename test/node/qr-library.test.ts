import QrcodeSvg from "qrcode-svg";
import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { buildText, decodeWithZxing, rasterizeSvg } from "./support/qr-decoders.ts";

/** Defects of `qrcode-svg` for which the service uses `qr`. These tests fail as soon as a release fixes one of them. */

const renderTheirs = (content: string, ecl: "L" | "M" | "Q" | "H", options = {}) =>
  new QrcodeSvg({ content, ecl, padding: 4, width: 800, height: 800, xmlVersion: false, ...options }).svg();
const renderOurs = (content: string, level: "L" | "M" | "Q" | "H") =>
  renderSvg(buildSymbol(content, level, null), resolveDesign({ quiet_zone: 4 }), 8, null);
const isDarkAt = (pixels: Awaited<ReturnType<typeof rasterizeSvg>>, x: number, y: number) =>
  (pixels.data[(Math.floor(y * pixels.height) * pixels.width + Math.floor(x * pixels.width)) * 4] as number) <
  128;

test("qrcode-svg mirrors its image, renderSvg does not", async () => {
  // One module is always dark (ISO/IEC 18004 section 7.9): row 4V + 9, column 8, beside the lower left finder pattern.
  const [x, y] = [(4 + 8.5) / 33, (4 + 4 * 2 + 9 + 0.5) / 33];
  const content = buildText(20);
  const theirPixels = await rasterizeSvg(renderTheirs(content, "M"));
  const ourPixels = await rasterizeSvg(renderOurs(content, "M"));
  const mirrored = await rasterizeSvg(renderTheirs(content, "M", { swap: true }));
  expect(isDarkAt(ourPixels, x, y)).toBe(true);
  let differences = 0;
  for (let row = 0; row < 25; row++) {
    for (let column = 0; column < 25; column++) {
      const centre = (index: number) => (index + 4.5) / 33;
      if (
        isDarkAt(theirPixels, centre(column), centre(row)) !== isDarkAt(mirrored, centre(row), centre(column))
      )
        differences += 1;
    }
  }
  expect(differences).toBe(0);
});

test("qrcode-svg throws for 26 lengths at level H, renderSvg draws all of them", async () => {
  const thrown: number[] = [];
  for (let length = 180; length <= 230; length++) {
    try {
      renderTheirs("a".repeat(length), "H");
    } catch {
      thrown.push(length);
    }
    const content = "a".repeat(length);
    expect(await decodeWithZxing(await rasterizeSvg(renderOurs(content, "H")))).toBe(content);
  }
  expect(thrown).toEqual(Array.from({ length: 26 }, (_, index) => 192 + index));
});

test("qrcode-svg loses emoji, renderSvg keeps them", async () => {
  const content = "party 🎉🎉";
  let text: string | null;
  try {
    text = await decodeWithZxing(await rasterizeSvg(renderTheirs(content, "M", { swap: true })));
  } catch {
    text = null;
  }
  expect(text).not.toBe(content);
  expect(await decodeWithZxing(await rasterizeSvg(renderOurs(content, "M")))).toBe(content);
});
