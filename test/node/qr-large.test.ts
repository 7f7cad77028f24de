import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mixColours, parseHexColour } from "../../src/core/colour.ts";
import { ZlibWriter } from "../../src/qr/deflate.ts";
import { resolveDesign } from "../../src/qr/design.ts";
import { compressPicture } from "../../src/qr/picture-data.ts";
import { computePixelWidth, type PngLogo, renderPng } from "../../src/qr/png.ts";
import { DOT_STYLES } from "../../src/qr/shape.ts";
import { sumBytes } from "../../src/qr/span.ts";
import { buildSymbol, type QrSymbol } from "../../src/qr/symbol.ts";
import { buildTileGrid } from "../../src/qr/tile-grid.ts";
import { readPng } from "../support/png.ts";
import { buildText } from "./support/qr-decoders.ts";

/** Large PNG files, which are written without being drawn row by row. */

const step = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => ({ bytes })),
  fc.record({ length: fc.integer({ min: 3, max: 5_000 }), distance: fc.integer({ min: 1, max: 32_768 }) }),
);

test("zlib decodes the output of ZlibWriter, for any literals and copies", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const writer = new ZlibWriter();
      const expected: number[] = [];
      for (const item of steps) {
        const start = expected.length;
        if ("bytes" in item) {
          for (const byte of item.bytes) writer.writeLiteral(byte);
          expected.push(...item.bytes);
        } else if (item.distance <= expected.length) {
          writer.writeCopy(item.length, item.distance);
          for (let i = 0; i < item.length; i++) {
            expected.push(expected[expected.length - item.distance] as number);
          }
        }
        const added = Uint8Array.from(expected.slice(start));
        const { sum, sumOfSums } = sumBytes(added);
        writer.addToChecksum(added.length, sum, sumOfSums);
      }
      expect(inflateSync(writer.finish()).equals(Uint8Array.from(expected))).toBe(true);
    }),
    { seed: 1, numRuns: 60 },
  );
});

test.each([100, 20_000, 400_000])(
  "an image of %d bytes is compressed with the filter of its rows",
  async (length) => {
    const samples = Uint8Array.from({ length }, (_, i) =>
      i % 3_000 < 1_500 ? 0 : Math.imul(i, 2_654_435_761) >>> 24,
    );
    const raw = inflateSync(await compressPicture(samples, 100));
    const rows = raw.length / 101;
    expect(rows).toBe(length / 100);
    const decoded = new Uint8Array(length);
    for (let y = 0; y < rows; y++) {
      expect(raw[y * 101]).toBe(2);
      for (let x = 0; x < 100; x++) {
        decoded[y * 100 + x] =
          (raw[y * 101 + 1 + x] as number) + (y === 0 ? 0 : (decoded[(y - 1) * 100 + x] as number));
      }
    }
    expect(Buffer.from(decoded).equals(samples)).toBe(true);
  },
);

interface Case {
  length: number;
  size: number;
  /** Pixels per side, if more than the modules need. */
  width?: number;
  quiet_zone: number;
  corner_color?: string;
  logoSize?: number;
  /** Pixels per side of the logo's image, if fewer than the logo covers. */
  logoPixels?: number;
}

const CASES: Case[] = [
  { length: 300, size: 26, quiet_zone: 1 },
  { length: 300, size: 25, quiet_zone: 0 },
  // It starts within a byte if a pixel has four bits.
  { length: 60, size: 50, width: 1_901, quiet_zone: 0 },
  { length: 60, size: 50, quiet_zone: 7, corner_color: "#102030" },
  { length: 60, size: 25, quiet_zone: 0, logoSize: 0.3 },
  { length: 100, size: 23, quiet_zone: 3, logoSize: 0.21, logoPixels: 60 },
];

for (const [index, { length, size, width, logoSize, logoPixels, ...members }] of CASES.entries()) {
  const dot_style = DOT_STYLES[index % DOT_STYLES.length] ?? "square";
  test(`a large PNG of ${dot_style} dots, ${JSON.stringify(CASES[index])}, has every pixel of its tiles`, async () => {
    const design = resolveDesign({
      ...members,
      dot_style,
      corner_style: "rounded",
      background_color: "#fedcba",
    });
    const symbol = buildSymbol(buildText(length), "M", logoSize ?? null);
    const covered = Math.floor(symbol.logoSide * size);
    const logo = logoSize === undefined ? null : drawLogo(logoPixels ?? covered);
    let pauses = 0;
    const png = await renderPng(symbol, design, size, logo, width, async () => void pauses++);
    const pixels = await readPng(png);
    const side = width ?? computePixelWidth(symbol, design, size);
    expect([pixels.width, pixels.height]).toEqual([side, side]);
    expect(pauses).toBeGreaterThan(0);
    const expected = drawPixels(symbol, design, size, side);
    if (logo !== null) overlay(expected, side, logo, covered);
    expect(Buffer.from(pixels.data.buffer).equals(expected)).toBe(true);
  });
}

function drawLogo(side: number): PngLogo {
  const pixels = new Uint8Array(side * side * 4);
  for (let i = 0; i < pixels.length; i++) {
    pixels[i] =
      i % 4 === 3 ? ([255, 255, 0, 128][(i >> 6) % 4] as number) : Math.imul(i >> 4, 2_654_435_761) >>> 24;
  }
  return { side, pixels };
}

/** Draws each tile of a symbol into an image of a byte per channel. */
function drawPixels(
  symbol: QrSymbol,
  design: ReturnType<typeof resolveDesign>,
  size: number,
  side: number,
): Buffer {
  const { tiles, cells, side: modules } = buildTileGrid(symbol, design, size);
  const start = Math.floor((side - modules * size) / 2);
  const mix = (dark: string) =>
    Array.from({ length: 16 }, (_, level) => {
      const [red, green, blue] = parseHexColour(mixColours(design.background, dark, level / 15));
      return (red | (green << 8) | (blue << 16) | (255 << 24)) >>> 0;
    });
  const palette = [...mix(design.foreground), ...mix(design.corner).slice(1)];
  const drawn = tiles.map((tile) =>
    tile.map((row) => Uint32Array.from(row, (level) => palette[level] as number)),
  );
  const pixels = new Uint32Array(side * side).fill(palette[0] as number);
  for (const [cell, tile] of cells.entries()) {
    const left = start + (cell % modules) * size;
    const top = start + Math.floor(cell / modules) * size;
    for (const [y, row] of (drawn[tile] ?? []).entries()) pixels.set(row, (top + y) * side + left);
  }
  return Buffer.from(pixels.buffer);
}

/** Blends a logo into the centre, enlarged to the pixels it covers. */
function overlay(pixels: Buffer, side: number, logo: PngLogo, covered: number): void {
  const start = Math.round((side - covered) / 2);
  for (let y = 0; y < covered; y++) {
    for (let x = 0; x < covered; x++) {
      const [column, row] = [Math.floor((x * logo.side) / covered), Math.floor((y * logo.side) / covered)];
      const [red = 0, green = 0, blue = 0, alpha = 0] = logo.pixels.subarray((row * logo.side + column) * 4);
      const pixel = ((start + y) * side + start + x) * 4;
      for (const [channel, value] of [red, green, blue].entries()) {
        const below = pixels[pixel + channel] as number;
        pixels[pixel + channel] = Math.round(below + (value - below) * (alpha / 255));
      }
    }
  }
}
