import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { findSmallestVersion, LEVELS, type Level, measureContent } from "../../src/qr/matrix.ts";
import { renderPng } from "../../src/qr/png.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { combine, sampleCases } from "../support/long-tests.ts";
import { readPng } from "../support/png.ts";
import { decodeWithJsQr, decodeWithZxing, listFailingDecoders } from "./support/qr-decoders.ts";

const design = resolveDesign({ quiet_zone: 4 });
const renderPixels = async (content: string, level: Level) =>
  readPng(await renderPng(buildSymbol(content, level, null), design, 3, null));

/** Finds the largest number of repetitions of a character that a version holds. */
function findCapacity(character: string, version: number, level: Level): number {
  let [low, high] = [1, 8_000];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const needed = findSmallestVersion(measureContent(character.repeat(middle)), level);
    if (needed !== null && needed <= version) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Capacities in ISO/IEC 18004 table 7: numeric, alphanumeric and byte mode. */
test.each([
  [1, "L", 41, 25, 17],
  [1, "H", 17, 10, 7],
  [9, "M", 432, 262, 180],
  [10, "M", 513, 311, 213],
  [26, "Q", 1_804, 1_094, 751],
  [27, "Q", 1_933, 1_172, 805],
  [40, "L", 7_089, 4_296, 2_953],
  [40, "M", 5_596, 3_391, 2_331],
  [40, "Q", 3_993, 2_420, 1_663],
  [40, "H", 3_057, 1_852, 1_273],
] as const)("version %i-%s has the capacity of the standard", (version, level, digits, letters, bytes) => {
  expect(["1", "A", "a"].map((character) => findCapacity(character, version, level))).toEqual([
    digits,
    letters,
    bytes,
  ]);
});

/** Version and level that jsQR cannot read with any encoder, because its table is wrong. */
const JSQR_MISSES = "23-L";

const VERSIONS = Array.from({ length: 40 }, (_, index) => index + 1);

test("codes of every version are readable, filled to their capacity at every level and in every mode", async () => {
  const faults: string[] = [];
  for (const [version, level, character] of sampleCases(combine(VERSIONS, LEVELS, ["7", "A", "a"]), 11)) {
    const length = findCapacity(character, version, level);
    const content = character.repeat(length);
    const symbol = buildSymbol(content, level, null);
    if (symbol.matrix.version !== version)
      faults.push(`version ${version} is not used for ${length} ${character}`);
    const pixels = await renderPixels(content, level);
    const name = `${version}-${level}`;
    if ((await decodeWithZxing(pixels)) !== content) faults.push(`zxing ${name} ${character}`);
    // jsQR is slow, so it reads only one mode.
    if (character === "a" && name !== JSQR_MISSES && decodeWithJsQr(pixels) !== content)
      faults.push(`jsqr ${name}`);
  }
  expect(faults).toEqual([]);
});

test.each([
  ["UTF-8", "Grüße aus Köln, naïve café – œuvre"],
  ["emoji", "🎉👩‍👩‍👧‍👦🏳️‍🌈 party 🥳"],
  ["one emoji", "🦊"],
  ["Chinese", "扫描二维码以继续"],
  ["Japanese", "こんにちは世界、テスト"],
  ["Korean", "안녕하세요 세계"],
  ["Arabic", "مرحبا بالعالم"],
  ["control characters", "a\tb\r\nc"],
  ["mixed", "WIFI:S:Café ☕;T:WPA;P:p\\;ss;;"],
])("text with %s is read back unchanged", async (_, content) => {
  for (const level of LEVELS)
    expect(await listFailingDecoders(await renderPixels(content, level), content)).toEqual([]);
});

test("URLs of any length are read back unchanged", async () => {
  const faults: number[] = [];
  const lengths = Array.from({ length: 55 }, (_, index) => 20 + 7 * index);
  for (const length of sampleCases(lengths, 4)) {
    const content = `https://example.com/${"é".repeat(length)}`;
    if ((await decodeWithZxing(await renderPixels(content, "M"))) !== content) faults.push(length);
  }
  expect(faults).toEqual([]);
});

test.each([
  ["1".repeat(7_090), "7089 numeric characters at error correction level L"],
  ["A".repeat(4_297), "4296 alphanumeric characters at error correction level L"],
  ["a".repeat(2_954), "2953 bytes of UTF-8 at error correction level L"],
  ["é".repeat(1_477), "2953 bytes of UTF-8 at error correction level L"],
])("buildSymbol rejects content over the capacity and names the capacity", (content, reason) => {
  expect(() => buildSymbol(content, "L", null)).toThrow(`content: must have at most ${reason}`);
});
