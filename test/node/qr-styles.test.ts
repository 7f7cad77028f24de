import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { LEVELS } from "../../src/qr/matrix.ts";
import { renderPng } from "../../src/qr/png.ts";
import { CORNER_STYLES, DOT_STYLES } from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { combine, sampleCases } from "../support/long-tests.ts";
import { readPng } from "../support/png.ts";
import { buildText, decodeWithZxing, listFailingDecoders, rasterizeSvg } from "./support/qr-decoders.ts";

/** Lengths for symbols without alignment pattern, with one, and with many and version information. */
const LENGTHS = [14, 30, 250];

test("codes of every dot style are readable with every corner style, level and length", async () => {
  const faults: string[] = [];
  const cases = sampleCases(combine(DOT_STYLES, CORNER_STYLES, LEVELS, LENGTHS), 29);
  for (const [dot_style, corner_style, level, length] of cases) {
    const content = buildText(length);
    const design = resolveDesign({ dot_style, corner_style });
    const symbol = buildSymbol(content, level, null);
    const size = 4;
    const name = `${dot_style} ${corner_style} ${level} ${length}`;
    const png = await readPng(await renderPng(symbol, design, size, null));
    const svg = await rasterizeSvg(renderSvg(symbol, design, size, null));
    for (const [format, pixels] of Object.entries({ png, svg })) {
      const failing = await listFailingDecoders(pixels, content);
      faults.push(...failing.map((decoder) => `${name} ${format} ${decoder}`));
    }
    expect([svg.width, svg.height]).toEqual([png.width, png.height]);
  }
  expect(faults).toEqual([]);
});

test("codes of every dot style are readable at every module size", async () => {
  const faults: string[] = [];
  const small = combine(DOT_STYLES, [1, 2, 3, 5, 7], [60, 200]);
  // A longer text has the same tiles at these sizes, only more of them.
  const large = combine(DOT_STYLES, [10, 13, 20], [60]);
  for (const [dot_style, size, length] of [...sampleCases(small, 7), ...sampleCases(large, 4)]) {
    const content = buildText(length);
    const symbol = buildSymbol(content, "Q", null);
    const design = resolveDesign({ dot_style, corner_style: "dot", quiet_zone: 2 });
    const png = await readPng(await renderPng(symbol, design, size, null));
    const failing = await listFailingDecoders(png, content);
    faults.push(...failing.map((decoder) => `${dot_style} ${size} ${length} ${decoder}`));
  }
  expect(faults).toEqual([]);
});

test.each([
  ["white on black", "#fff", "#000"],
  ["brand colours", "#1a73e8", "#fef7e0"],
  ["dark on dark", "#101010", "#7a7a7a"],
])("a code in %s is readable", async (_, foreground_color, background_color) => {
  const content = buildText(40);
  const design = resolveDesign({ foreground_color, background_color, dot_style: "rounded", quiet_zone: 4 });
  const symbol = buildSymbol(content, "M", null);
  expect(await listFailingDecoders(await readPng(await renderPng(symbol, design, 6, null)), content)).toEqual(
    [],
  );
  expect(await listFailingDecoders(await rasterizeSvg(renderSvg(symbol, design, 6, null)), content)).toEqual(
    [],
  );
});

test("a code without a quiet zone is readable on a light surface", async () => {
  const content = buildText(40);
  const design = resolveDesign({ quiet_zone: 0 });
  const png = await readPng(await renderPng(buildSymbol(content, "M", null), design, 8, null));
  expect(await decodeWithZxing(png)).toBe(content);
});
