import { expect, test } from "vitest";
import {
  computeClearedSide,
  DAMAGE_MAX,
  findCodewordBlock,
  findCoveredCodewords,
  mapModulesToCodewords,
  markFunctionModules,
  measureDamage,
  NO_CODEWORD,
} from "../../src/qr/blocks.ts";
import { resolveDesign } from "../../src/qr/design.ts";
import {
  encodeContent,
  getBlockLayout,
  getSymbolSide,
  LEVELS,
  type Level,
  type Matrix,
} from "../../src/qr/matrix.ts";
import { type PngLogo, renderPng } from "../../src/qr/png.ts";
import { DOT_STYLES, type DotStyle } from "../../src/qr/shape.ts";
import { renderSvg } from "../../src/qr/svg.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { combine, IS_LONG, sampleCases } from "../support/long-tests.ts";
import { readPng } from "../support/png.ts";
import {
  buildText,
  decodeWithJsQr,
  decodeWithZxing,
  listFailingDecoders,
  rasterizeSvg,
} from "./support/qr-decoders.ts";

const SIZE = 4;
const design = resolveDesign({ quiet_zone: 4 });

/** Worst-case logos: all light, all dark, and noise. */
const FILLS: Record<string, (index: number) => number> = {
  white: () => 255,
  black: () => 0,
  noise: (index) => (Math.imul(index + 1, 2_654_435_761) >>> 31) * 255,
};

function fillLogo(side: number, fill: (index: number) => number): PngLogo {
  const pixels = new Uint8Array(side * side * 4);
  for (let i = 0; i < side * side; i++)
    pixels.fill(fill(i), i * 4, i * 4 + 3).fill(255, i * 4 + 3, i * 4 + 4);
  return { side, pixels };
}

/** Version for which jsQR repairs less than other decoders, because its table is wrong. */
const JSQR_MISREADS = 23;

test("codes with logos are readable at every logo size, level and length, with any logo", async () => {
  const faults: string[] = [];
  let drawn = 0;
  const cases = combine([0.1, 0.2, 0.3, 0.4], LEVELS, [20, 60, 150, 400], Object.entries(FILLS));
  for (const [logoSize, level, length, [name, fill]] of sampleCases(cases, 7)) {
    const content = buildText(length);
    const symbol = buildSymbol(content, level, logoSize);
    expect(LEVELS.indexOf(symbol.matrix.level)).toBeGreaterThanOrEqual(LEVELS.indexOf(level));
    const logo = fillLogo(Math.floor(symbol.logoSide * SIZE), fill);
    // Goes through the styles in turn.
    const dotStyle = DOT_STYLES[drawn++ % DOT_STYLES.length] as DotStyle;
    const pixels = await readPng(await renderPng(symbol, { ...design, dotStyle }, SIZE, logo));
    const code = `${dotStyle} ${logoSize} ${level} ${length} ${name}`;
    if ((await decodeWithZxing(pixels)) !== content) faults.push(`${code} zxing`);
    // jsQR is slow, so it reads three of eleven codes. Eleven has no factor in common with the numbers of logo sizes,
    // levels, lengths, fills and styles, so it reads codes with each of them.
    const isRead = (drawn % 11) % 4 === 1 && symbol.matrix.version !== JSQR_MISREADS;
    if (isRead && decodeWithJsQr(pixels) !== content) faults.push(`${code} jsqr`);
  }
  expect(faults).toEqual([]);
});

test("an SVG with a logo is readable", async () => {
  const logoPng = await renderPng(
    buildSymbol("logo", "L", null),
    // Uses one colour, because a code in the logo could be read instead of the outer one.
    resolveDesign({ foreground_color: "#c00", background_color: "#c00" }),
    3,
    null,
  );
  const content = buildText(60);
  const symbol = buildSymbol(content, "M", 0.3);
  const dataUri = `data:image/png;base64,${Buffer.from(logoPng).toString("base64")}`;
  const svg = renderSvg(symbol, design, 6, { dataUri, side: symbol.logoSide });
  const pixels = await rasterizeSvg(svg);
  expect(await listFailingDecoders(pixels, content)).toEqual([]);
  const centre = ((pixels.height / 2) * pixels.width + pixels.width / 2) * 4;
  expect([...pixels.data.subarray(0, 4)]).toEqual([255, 255, 255, 255]);
  expect([...pixels.data.subarray(centre - 200, centre + 200)]).toContain(204);
});

test("mapModulesToCodewords assigns eight modules to each codeword and leaves only the remainder bits", () => {
  for (let version = 1; version <= 40; version++) {
    const codewords = mapModulesToCodewords(version);
    const modules = new Map<number, number>();
    for (const codeword of codewords) modules.set(codeword, (modules.get(codeword) ?? 0) + 1);
    const { codewords: count } = getBlockLayout(version, "M");
    const remainder =
      markFunctionModules(version).filter((isFunction) => isFunction === 0).length - count * 8;
    // ISO/IEC 18004 table 1.
    expect([0, 3, 4, 7], `version ${version}`).toContain(remainder);
    modules.delete(NO_CODEWORD);
    expect(modules.size).toBe(count);
    expect(new Set(modules.values())).toEqual(new Set([8]));
  }
});

test("findCodewordBlock fills the blocks evenly, with the error correction codewords last", () => {
  for (const level of LEVELS) {
    for (let version = 1; version <= 40; version++) {
      const { codewords, blocks, correctionCodewords } = getBlockLayout(version, level);
      const sizes = new Array<number>(blocks).fill(0);
      for (let i = 0; i < codewords; i++) {
        const block = findCodewordBlock(version, level, i);
        sizes[block] = (sizes[block] as number) + 1;
      }
      const short = Math.floor(codewords / blocks);
      const shortBlocks = blocks - (codewords % blocks);
      expect(sizes).toEqual(sizes.map((_, block) => (block < shortBlocks ? short : short + 1)));
      const last = codewords - blocks * correctionCodewords;
      expect(findCodewordBlock(version, level, last)).toBe(0);
      expect(findCodewordBlock(version, level, codewords - 1)).toBe(blocks - 1);
    }
  }
});

/** Flips all modules of the first `count` codewords of a block. */
function damageBlock(matrix: Matrix, block: number, count: number): Matrix {
  const { version, level } = matrix;
  const { codewords } = getBlockLayout(version, level);
  const inBlock = Array.from({ length: codewords }, (_, index) => index).filter(
    (codeword) => findCodewordBlock(version, level, codeword) === block,
  );
  const chosen = new Set(inBlock.slice(0, count));
  const codewordByModule = mapModulesToCodewords(version);
  const modules = matrix.modules.map((dark, module) =>
    chosen.has(codewordByModule[module] as number) ? 1 - dark : dark,
  );
  return { ...matrix, modules };
}

test.each([
  [4, "L", 40],
  [7, "M", 100],
  [14, "Q", 200],
  [15, "H", 200],
] satisfies [number, Level, number][])(
  "a block of version %i-%s repairs half as many codewords as it has for error correction, and no more",
  async (version, level, length) => {
    const content = buildText(length);
    const matrix = encodeContent(content, version, level);
    const { blocks, correctionCodewords } = getBlockLayout(version, level);
    for (const block of [0, blocks - 1]) {
      const readDamaged = async (count: number) => {
        const symbol = { content, matrix: damageBlock(matrix, block, count), clearedSide: 0, logoSide: 0 };
        const pixels = await readPng(await renderPng(symbol, design, SIZE, null));
        return [await decodeWithZxing(pixels), decodeWithJsQr(pixels)];
      };
      expect(await readDamaged(correctionCodewords / 2)).toEqual([content, content]);
      const beyond = await readDamaged(correctionCodewords / 2 + 1);
      expect(beyond).not.toContain(content);
    }
  },
);

test("a code with a logo is readable up to DAMAGE_MAX and unreadable beyond its repair capacity", async () => {
  let [within, beyond, lost] = [0, 0, 0];
  for (const [level, version] of sampleCases(combine(LEVELS, [5, 8, 11, 16]), 3)) {
    const matrix = encodeContent(buildText(30), version, level);
    const content = buildText(30);
    for (let clearedSide = 3; clearedSide < getSymbolSide(version) / 2; clearedSide += 2) {
      const covered = findCoveredCodewords(version, clearedSide);
      if (covered === null) continue;
      const damage = measureDamage(version, level, covered);
      // Between these limits, some codes are readable. Only a long run checks far beyond them.
      if ((damage > DAMAGE_MAX && damage < 1.5) || (damage > 4 && !IS_LONG)) continue;
      const symbol = { content, matrix, clearedSide, logoSide: clearedSide };
      const logo = fillLogo(clearedSide * SIZE, FILLS.noise as (index: number) => number);
      const text = await decodeWithZxing(await readPng(await renderPng(symbol, design, SIZE, logo)));
      if (damage <= DAMAGE_MAX) {
        within += 1;
        expect(text, `${version}-${level} ${clearedSide}`).toBe(content);
      } else {
        beyond += 1;
        if (text !== content) lost += 1;
      }
    }
  }
  expect(within).toBeGreaterThan(10);
  expect(beyond).toBeGreaterThan(10);
  expect(lost / beyond).toBeGreaterThan(0.9);
});

test("findCoveredCodewords returns null if the logo covers a function pattern that scanners need", () => {
  for (let version = 1; version <= 40; version++) {
    const clearedSide = computeClearedSide(version, 0.4);
    const start = (getSymbolSide(version) - clearedSide) / 2;
    if (start < 9) expect(findCoveredCodewords(version, clearedSide)).toBeNull();
    else expect(findCoveredCodewords(version, clearedSide)?.size).toBeGreaterThan(0);
  }
});

test.each([
  [2_473, 0.4],
  [2_900, 0.3],
])(
  "buildSymbol rejects a logo that leaves no symbol readable, at %i bytes and size %d",
  (length, logoSize) => {
    expect(() => buildSymbol(buildText(length), "L", logoSize)).toThrow(
      "design.logo_size: must be smaller for content of this length; alternatively, omit the logo",
    );
  },
);
