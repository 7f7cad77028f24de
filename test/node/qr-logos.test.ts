import { expect, test } from "vitest";
import {
  blockOfCodeword,
  clearedSide,
  codewordsOfModules,
  codewordsUnder,
  DAMAGE_MAX,
  functionModules,
  measureDamage,
  NO_CODEWORD,
} from "../../src/qr/blocks.ts";
import { resolveDesign } from "../../src/qr/design.ts";
import { blockLayout, encode, LEVELS, type Level, type Matrix, sideModules } from "../../src/qr/matrix.ts";
import { type PngLogo, renderPng } from "../../src/qr/png.ts";
import { DOT_STYLES, type DotStyle } from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { symbolFor } from "../../src/qr/symbol.ts";
import { readPng } from "../support/png.ts";
import { jsqr, misreads, rasterizeSvg, textOfLength, zxing } from "./support/scan.ts";

const SIZE = 4;
const design = resolveDesign({ quiet_zone: 4 });

/** What a logo may look like at worst: all light, all dark, and every pixel by chance. */
const FILLS: Record<string, (index: number) => number> = {
  white: () => 255,
  black: () => 0,
  noise: (index) => (Math.imul(index + 1, 2_654_435_761) >>> 31) * 255,
};

function logoOf(side: number, fill: (index: number) => number): PngLogo {
  const pixels = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++)
    pixels.fill(fill(i), i * 4, i * 4 + 3).fill(255, i * 4 + 3, i * 4 + 4);
  return { side, pixels };
}

/** jsQR's own table of version 23 is wrong: it repairs less there than any other decoder. */
const JSQR_MISREADS = 23;

for (const logoSize of [0.1, 0.2, 0.3, 0.4]) {
  test(`a logo of ${logoSize} leaves every level and length readable`, async () => {
    const faults: string[] = [];
    let drawn = 0;
    for (const level of LEVELS) {
      for (const length of [20, 60, 150, 400]) {
        const content = textOfLength(length);
        const symbol = symbolFor(content, level, logoSize);
        expect(LEVELS.indexOf(symbol.matrix.level)).toBeGreaterThanOrEqual(LEVELS.indexOf(level));
        for (const [name, fill] of Object.entries(FILLS)) {
          const logo = logoOf(Math.floor(symbol.logoSide * SIZE), fill);
          // Every style in its turn.
          const dotStyle = DOT_STYLES[drawn++ % DOT_STYLES.length] as DotStyle;
          const pixels = await readPng(await renderPng(symbol, { ...design, dotStyle }, SIZE, logo));
          const missed = await misreads(pixels, content);
          const counted = missed.filter((one) => one !== "jsqr" || symbol.matrix.version !== JSQR_MISREADS);
          faults.push(...counted.map((decoder) => `${dotStyle} ${level} ${length} ${name} ${decoder}`));
        }
      }
    }
    expect(faults).toEqual([]);
  });
}

test("a logo in an SVG leaves it readable too", async () => {
  const logoPng = await renderPng(
    symbolFor("logo", "L", null),
    resolveDesign({ foreground_color: "#c00" }),
    3,
    null,
  );
  const content = textOfLength(60);
  const symbol = symbolFor(content, "M", 0.3);
  const dataUri = `data:image/png;base64,${Buffer.from(logoPng).toString("base64")}`;
  const svg = renderSvg(symbol, design, 6, { dataUri, side: symbol.logoSide });
  const pixels = await rasterizeSvg(svg);
  expect(await misreads(pixels, content)).toEqual([]);
  const centre = ((pixels.height / 2) * pixels.width + pixels.width / 2) * 4;
  expect([...pixels.data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  expect([...pixels.data.subarray(centre - 200, centre + 200)]).toContain(204);
});

test("every module but patterns, information and remainder belongs to a codeword of eight modules", () => {
  for (let version = 1; version <= 40; version++) {
    const codewords = codewordsOfModules(version);
    const modules = new Map<number, number>();
    for (const codeword of codewords) modules.set(codeword, (modules.get(codeword) ?? 0) + 1);
    const { codewords: count } = blockLayout(version, "M");
    const remainder = functionModules(version).filter((taken) => taken === 0).length - count * 8;
    // ISO/IEC 18004 table 1.
    expect([0, 3, 4, 7], `version ${version}`).toContain(remainder);
    modules.delete(NO_CODEWORD);
    expect(modules.size).toBe(count);
    expect(new Set(modules.values())).toEqual(new Set([8]));
  }
});

test("every block has its codewords, and those that repair come last", () => {
  for (const level of LEVELS) {
    for (let version = 1; version <= 40; version++) {
      const { codewords, blocks, repairWords } = blockLayout(version, level);
      const sizes = new Array<number>(blocks).fill(0);
      for (let i = 0; i < codewords; i++) {
        const block = blockOfCodeword(version, level, i);
        sizes[block] = (sizes[block] as number) + 1;
      }
      const short = Math.floor(codewords / blocks);
      const shortBlocks = blocks - (codewords % blocks);
      expect(sizes).toEqual(sizes.map((_, block) => (block < shortBlocks ? short : short + 1)));
      const last = codewords - blocks * repairWords;
      expect(blockOfCodeword(version, level, last)).toBe(0);
      expect(blockOfCodeword(version, level, codewords - 1)).toBe(blocks - 1);
    }
  }
});

/** Flips every module of the first codewords of a block. */
function damaged(matrix: Matrix, block: number, count: number): Matrix {
  const { version, level } = matrix;
  const { codewords } = blockLayout(version, level);
  const inBlock = Array.from({ length: codewords }, (_, index) => index).filter(
    (codeword) => blockOfCodeword(version, level, codeword) === block,
  );
  const chosen = new Set(inBlock.slice(0, count));
  const map = codewordsOfModules(version);
  const modules = matrix.modules.map((dark, module) => (chosen.has(map[module] as number) ? 1 - dark : dark));
  return { ...matrix, modules };
}

test.each([
  [4, "L", 40],
  [7, "M", 100],
  [14, "Q", 200],
  [15, "H", 200],
] satisfies [number, Level, number][])(
  "a block of version %i-%s repairs half its repair codewords, and not one more",
  async (version, level, length) => {
    const content = textOfLength(length);
    const matrix = encode(content, version, level);
    const { blocks, repairWords } = blockLayout(version, level);
    for (const block of [0, blocks - 1]) {
      const read = async (count: number) => {
        const symbol = { matrix: damaged(matrix, block, count), cleared: 0, logoSide: 0 };
        const pixels = await readPng(await renderPng(symbol, design, SIZE, null));
        return [await zxing(pixels), jsqr(pixels)];
      };
      expect(await read(repairWords / 2)).toEqual([content, content]);
      const beyond = await read(repairWords / 2 + 1);
      expect(beyond).not.toContain(content);
    }
  },
);

test("beyond what the blocks repair, a square in the centre makes a code unreadable", async () => {
  let [within, beyond, lost] = [0, 0, 0];
  for (const level of LEVELS) {
    for (const version of [5, 8, 11, 16]) {
      const matrix = encode(textOfLength(30), version, level);
      const content = textOfLength(30);
      for (let cleared = 3; cleared < sideModules(version) / 2; cleared += 2) {
        const covered = codewordsUnder(version, cleared);
        if (covered === null) continue;
        const damage = measureDamage(version, level, covered);
        if (damage > DAMAGE_MAX && damage < 1.5) continue;
        const symbol = { matrix, cleared, logoSide: cleared };
        const logo = logoOf(cleared * SIZE, FILLS.noise as (index: number) => number);
        const text = await zxing(await readPng(await renderPng(symbol, design, SIZE, logo)));
        if (damage <= DAMAGE_MAX) {
          within += 1;
          expect(text, `${version}-${level} ${cleared}`).toBe(content);
        } else {
          beyond += 1;
          if (text !== content) lost += 1;
        }
      }
    }
  }
  expect(within).toBeGreaterThan(20);
  expect(beyond).toBeGreaterThan(20);
  expect(lost / beyond).toBeGreaterThan(0.9);
});

test("a logo never covers finders, timing, format or the last alignment pattern", () => {
  for (let version = 1; version <= 40; version++) {
    const cleared = clearedSide(version, 0.4);
    const start = (sideModules(version) - cleared) / 2;
    if (start < 9) expect(codewordsUnder(version, cleared)).toBeNull();
    else expect(codewordsUnder(version, cleared)?.size).toBeGreaterThan(0);
  }
});

test.each([
  [1_273, 0.4],
  [1_700, 0.3],
])("a logo that no symbol of %i bytes bears is refused by its size", (length, logoSize) => {
  expect(() => symbolFor(textOfLength(length + 1_200), "L", logoSize)).toThrow(
    "design.logo_size: must be smaller, or absent, for a content this long",
  );
});
