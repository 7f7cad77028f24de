import QrcodeSvg from "qrcode-svg";
import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { symbolFor } from "../../src/qr/symbol.ts";
import { rasterizeSvg, textOfLength, zxing } from "./support/scan.ts";

/** Why the symbols come from `qr` and not from `qrcode-svg`, as the README says: this fails when it is no longer so. */

const theirs = (content: string, ecl: "L" | "M" | "Q" | "H", options = {}) =>
  new QrcodeSvg({ content, ecl, padding: 4, width: 800, height: 800, xmlVersion: false, ...options }).svg();
const ours = (content: string, level: "L" | "M" | "Q" | "H") =>
  renderSvg(symbolFor(content, level, null), resolveDesign({ quiet_zone: 4 }), 8, null);
const darkAt = (pixels: Awaited<ReturnType<typeof rasterizeSvg>>, x: number, y: number) =>
  (pixels.data[(Math.floor(y * pixels.height) * pixels.width + Math.floor(x * pixels.width)) * 4] as number) <
  128;

test("qrcode-svg mirrors its picture, ours is the right way round", async () => {
  // The module of the standard that is always dark stands right of the lower left finder: row 4V + 9, column 8.
  const [x, y] = [(4 + 8.5) / 33, (4 + 4 * 2 + 9 + 0.5) / 33];
  const content = textOfLength(20);
  const theirPixels = await rasterizeSvg(theirs(content, "M"));
  const ourPixels = await rasterizeSvg(ours(content, "M"));
  const mirrored = await rasterizeSvg(theirs(content, "M", { swap: true }));
  expect(darkAt(ourPixels, x, y)).toBe(true);
  let differences = 0;
  for (let row = 0; row < 25; row++) {
    for (let column = 0; column < 25; column++) {
      const at = (one: number) => (one + 4.5) / 33;
      if (darkAt(theirPixels, at(column), at(row)) !== darkAt(mirrored, at(row), at(column)))
        differences += 1;
    }
  }
  expect(differences).toBe(0);
});

test("qrcode-svg throws for 26 lengths at level H, ours draws them all", async () => {
  const thrown: number[] = [];
  for (let length = 180; length <= 230; length++) {
    try {
      theirs("a".repeat(length), "H");
    } catch {
      thrown.push(length);
    }
    const content = "a".repeat(length);
    expect(await zxing(await rasterizeSvg(ours(content, "H")))).toBe(content);
  }
  expect(thrown).toEqual(Array.from({ length: 26 }, (_, index) => 192 + index));
});

test("qrcode-svg loses emoji, ours keeps them", async () => {
  const content = "party 🎉🎉";
  let text: string | null;
  try {
    text = await zxing(await rasterizeSvg(theirs(content, "M", { swap: true })));
  } catch {
    text = null;
  }
  expect(text).not.toBe(content);
  expect(await zxing(await rasterizeSvg(ours(content, "M")))).toBe(content);
});
