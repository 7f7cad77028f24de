import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { type DesignInput, resolveDesign } from "../../src/qr/design.ts";
import { readJpegFrame } from "../../src/qr/image-header.ts";
import { type PdfLogo, renderPdf } from "../../src/qr/pdf.ts";
import { renderPng } from "../../src/qr/png.ts";
import { CORNER_STYLES, DOT_STYLES } from "../../src/qr/shape.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { combine, sampleCases } from "../support/long-tests.ts";
import { type Pixels, readPng } from "../support/png.ts";
import { hasPoppler, rasterizePdf } from "./support/poppler.ts";
import { buildText, decodeWithZxing, listFailingDecoders } from "./support/qr-decoders.ts";

const testWithPoppler = test.skipIf(!hasPoppler("PDF files of QR codes"));

const toText = (pdf: Uint8Array) => Buffer.from(pdf).toString("latin1");

function render(content: string, input: DesignInput = {}, widthMm = 40, logo: PdfLogo | null = null) {
  const design = resolveDesign(input);
  return renderPdf(buildSymbol(content, design.level, logo && design.logoSize), design, widthMm, logo);
}

/** Checks the cross-reference table of a file, and returns its objects by number. */
function readObjects(pdf: Uint8Array): Map<number, string> {
  const text = toText(pdf);
  const tableOffset = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
  const [, count = "", table = ""] =
    /^xref\n0 (\d+)\n((?:\d{10} \d{5} [fn] \n)+)trailer\n<< \/Size \1 \/Root 1 0 R >>\n/.exec(
      text.slice(tableOffset),
    ) ?? [];
  expect(table.length).toBe(Number(count) * 20);
  const offsets = [...table.matchAll(/^(\d{10}) 00000 n /gm)].map(([, offset]) => Number(offset));
  return new Map(
    offsets.map((offset, index) => {
      const end = offsets[index + 1] ?? tableOffset;
      const object = text.slice(offset, end);
      expect(object).toMatch(new RegExp(`^${index + 1} 0 obj\n[\\s\\S]*\nendobj\n$`));
      return [index + 1, object];
    }),
  );
}

/** Returns the bytes of an object's stream, and checks its length. */
function readStream(object: string): Buffer {
  const [head, length] = /^[\s\S]*?\/Length (\d+) >>\nstream\n/.exec(object) ?? [];
  const start = (head ?? "").length;
  const end = start + Number(length);
  expect(object.slice(end)).toBe("\nendstream\nendobj\n");
  return Buffer.from(object.slice(start, end), "latin1");
}

test.each([
  [10, "28.346457"],
  [40, "113.385827"],
  [25.4, "72"],
  [99.5, "282.047244"],
  [1_000, "2834.645669"],
])("a PDF of %d mm has one page of that size", async (widthMm, points) => {
  const pdf = await render("https://example.com/", {}, widthMm);
  expect(toText(pdf)).toMatch(/^%PDF-1\.4\n%[\x80-\xff]{4}\n/);
  const objects = readObjects(pdf);
  expect(objects.size).toBe(4);
  expect(objects.get(3)).toContain(`/MediaBox [0 0 ${points} ${points}]`);
  expect(Number(points) * (25.4 / 72)).toBeCloseTo(widthMm, 4);
});

test("a PDF contains only numbers, operators and the colours of the design", async () => {
  for (const dot_style of DOT_STYLES) {
    const design = { dot_style, foreground_color: "#0033ff", corner_color: "#00f", background_color: "#fc0" };
    const objects = readObjects(await render(buildText(60), { ...design, corner_style: "rounded" }));
    const content = inflateSync(readStream(objects.get(4) ?? "")).toString("latin1");
    expect(content).toMatch(/^(?:(?:-?\d+(?:\.\d{1,6})? )*(?:cm|k|K|w|J|S|re|f\*?|m|l|c|h)\n)+$/);
    // Circles are stroked, everything else is filled.
    const colours = content.match(/^[\d. ]+ k$/gim)?.map((line) => line.toLowerCase());
    expect([...new Set(colours)]).toEqual(["0 0.2 1 0 k", "1 0.8 0 0 k", "1 1 0 0 k"]);
  }
});

test("equal requests create equal PDFs", async () => {
  expect(await render("x", { dot_style: "dots" })).toEqual(await render("x", { dot_style: "dots" }));
});

testWithPoppler("a PDF of every style is readable", async () => {
  const faults: string[] = [];
  // Lengths for symbols without alignment patterns, with one, and with many.
  const cases = combine(DOT_STYLES, CORNER_STYLES, [14, 60, 250]);
  for (const [dot_style, corner_style, length] of sampleCases(cases, 7)) {
    const content = buildText(length);
    const pixels = rasterizePdf(await render(content, { dot_style, corner_style }), 300);
    const isRead = (await decodeWithZxing(pixels)) === content;
    if (!isRead) faults.push(`${dot_style} ${corner_style} ${length}`);
    expect(Math.abs(pixels.width - (40 / 25.4) * 300)).toBeLessThan(1);
  }
  expect(faults).toEqual([]);
});

testWithPoppler("a PDF has the same modules and colours as a PNG", async () => {
  const content = buildText(40);
  const input: DesignInput = {
    foreground_color: "#0b5d51",
    corner_color: "#802010",
    background_color: "#fef7e0",
  };
  const design = resolveDesign({ ...input, quiet_zone: 2 });
  const symbol = buildSymbol(content, "M", null);
  const modules = symbol.matrix.side + 4;
  // A tenth of an inch per module, so that modules in the PDF and the PNG have the same number of pixels.
  const pdf = rasterizePdf(await renderPdf(symbol, design, modules * 2.54, null), 100);
  const png = await readPng(await renderPng(symbol, design, 10, null));
  expect([pdf.width, pdf.height]).toEqual([png.width, png.height]);
  const readCentres = ({ data, width }: Pixels) =>
    Array.from({ length: modules * modules }, (_, i) => {
      const pixel = (Math.floor(i / modules) * 10 + 5) * width + (i % modules) * 10 + 5;
      return [...data.subarray(pixel * 4, pixel * 4 + 3)].join();
    });
  // Poppler shows inks in colours of its own, so only equal and different colours are compared.
  const [inks, colours] = [readCentres(pdf), readCentres(png)];
  const shownAs = new Map(colours.map((colour, index) => [colour, inks[index]]));
  expect(inks).toEqual(colours.map((colour) => shownAs.get(colour)));
  expect([shownAs.size, new Set(inks).size]).toEqual([3, 3]);
});

testWithPoppler("the smallest and the largest symbol are readable on pages of any size", async () => {
  for (const [content, widthMm, pixelsPerInch] of [
    ["1", 10, 300],
    ["1", 1_000, 25],
    ["a".repeat(2_000), 150, 150],
  ] as const) {
    const pixels = rasterizePdf(await render(content, {}, widthMm), pixelsPerInch);
    expect(await listFailingDecoders(pixels, content)).toEqual([]);
  }
});

/** Draws a coloured disc on a transparent background. */
function drawDisc(side: number, [red, green, blue]: readonly [number, number, number]): Uint8Array {
  const pixels = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++) {
    const isInside = Math.hypot((i % side) - side / 2, Math.floor(i / side) - side / 2) < side / 2;
    if (isInside) pixels.set([red, green, blue, 255], i * 4);
  }
  return pixels;
}

/** Returns the colour of a pixel, given as shares of the width and height. */
const readColor = (
  { data, width, height }: { data: Uint8ClampedArray; width: number; height: number },
  x: number,
  y: number,
) => {
  const pixel = Math.floor(y * height) * width + Math.floor(x * width);
  return [...data.subarray(pixel * 4, pixel * 4 + 3)];
};

/** Checks a colour approximately, because poppler converts inks to colours by a formula of its own. */
function expectColor(actual: readonly number[], expected: readonly number[]): void {
  const distance = Math.max(...actual.map((channel, index) => Math.abs(channel - (expected[index] ?? 0))));
  expect(distance, `${actual} instead of ${expected}`).toBeLessThan(60);
}

testWithPoppler("a logo with transparent pixels shows the background through them", async () => {
  const content = buildText(60);
  const logo: PdfLogo = { width: 100, height: 100, data: { pixels: drawDisc(100, [200, 0, 40]) } };
  const pdf = await render(content, { background_color: "#fef7e0", logo_size: 0.2 }, 60, logo);
  expect(readObjects(pdf).size).toBe(6);
  const pixels = rasterizePdf(pdf, 300);
  expect(await decodeWithZxing(pixels)).toBe(content);
  expectColor(readColor(pixels, 0.5, 0.5), [200, 0, 40]);
  // A corner of the logo's square.
  expectColor(readColor(pixels, 0.41, 0.41), [0xfe, 0xf7, 0xe0]);
});

testWithPoppler("an opaque logo has no alpha channel, and is upright", async () => {
  const pixels = new Uint8Array(2 * 2 * 4).fill(255);
  // The upper left pixel is red, the lower left one blue.
  pixels.set([255, 0, 0], 0);
  pixels.set([0, 0, 255], 8);
  const pdf = await render(buildText(60), { logo_size: 0.2 }, 60, { width: 2, height: 2, data: { pixels } });
  expect(readObjects(pdf).size).toBe(5);
  const page = rasterizePdf(pdf, 300);
  const isRed = ([red = 0, , blue = 0]: number[]) => red > 200 && blue < 100;
  const isBlue = ([red = 0, , blue = 0]: number[]) => blue > 120 && red < 100;
  expect(isRed(readColor(page, 0.42, 0.42))).toBe(true);
  expect(isBlue(readColor(page, 0.42, 0.58))).toBe(true);
});

/** JPEG of 8 × 8 pixels in the colour of `[200, 0, 40]`, 4:4:4, and of black. */
const RED_JPEG =
  "/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAIAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAGCf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ACoNKBv/2Q==";
const BLACK_JPEG =
  "/9j/2wBDAAMCAgMCAgMDAwMEAwMEBQgFBQQEBQoHBwYIDAoMDAsKCwsNDhIQDQ4RDgsLEBYQERMUFRUVDA8XGBYUGBIUFRT/2wBDAQMEBAUEBQkFBQkUDQsNFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBT/wAARCAAIAAgDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACf/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAUAQEAAAAAAAAAAAAAAAAAAAAA/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AKoH/2Q==";

testWithPoppler("a JPEG logo in colour is embedded unchanged and printed with process inks", async () => {
  for (const [base64, color] of [
    [RED_JPEG, [200, 0, 40]],
    [BLACK_JPEG, [35, 31, 32]],
  ] as const) {
    const jpeg = new Uint8Array(Buffer.from(base64, "base64"));
    const logo: PdfLogo = { width: 8, height: 8, data: { jpeg, components: 3 } };
    const pdf = await render(buildText(60), { logo_size: 0.2 }, 60, logo);
    const objects = readObjects(pdf);
    expect(readStream(objects.get(5) ?? "").equals(jpeg)).toBe(true);
    expect(objects.get(5)).toContain("/DeviceN [/Cyan /Magenta /Yellow] /DeviceCMYK 6 0 R");
    expectColor(readColor(rasterizePdf(pdf, 300), 0.5, 0.5), color);
  }
});

test("black and greys are black ink only, and no file has RGB colours", async () => {
  const objects = readObjects(await render("x", { corner_color: "#333", background_color: "#fff" }));
  const content = inflateSync(readStream(objects.get(4) ?? "")).toString("latin1");
  expect(content.match(/^[\d. ]+ k$/gm)).toEqual(["0 0 0 0 k", "0 0 0 1 k", "0 0 0 0.8 k"]);
  expect([...objects.values()].join("")).not.toContain("DeviceRGB");
});

/** JPEG of 16 × 8 pixels: its left half has the grey 200, its right half 128. */
const GREY_JPEG =
  "/9j/2wBDAAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAj/wAALCAAIABABAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8ASBu//9k=";

testWithPoppler("a JPEG logo is embedded unchanged and keeps its proportions", async () => {
  const jpeg = new Uint8Array(Buffer.from(GREY_JPEG, "base64"));
  expect(readJpegFrame(jpeg)).toMatchObject({ precision: 8, width: 16, height: 8, components: 1 });
  const content = buildText(60);
  const logo: PdfLogo = { width: 16, height: 8, data: { jpeg, components: 1 } };
  const pdf = await render(content, { logo_size: 0.2 }, 60, logo);
  expect(readStream(readObjects(pdf).get(5) ?? "").equals(jpeg)).toBe(true);
  const page = rasterizePdf(pdf, 300);
  expect(await decodeWithZxing(page)).toBe(content);
  expect(readColor(page, 0.42, 0.5)).toEqual([200, 200, 200]);
  expect(readColor(page, 0.58, 0.5)).toEqual([128, 128, 128]);
  // The logo is half as high as wide, so the upper and lower quarter of its square are free.
  expect(readColor(page, 0.5, 0.43)).toEqual([255, 255, 255]);
  expect(readColor(page, 0.5, 0.57)).toEqual([255, 255, 255]);
});
