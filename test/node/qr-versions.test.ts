import { expect, test } from "vitest";
import { resolveDesign } from "../../src/qr/design.ts";
import { findSmallestVersion, LEVELS, type Level, measureContent } from "../../src/qr/matrix.ts";
import { renderPng } from "../../src/qr/png.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { formatCompactUrl } from "../../src/routing/compact-code.ts";
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
  // The level doesn't change how text is encoded.
  for (const level of sampleCases(LEVELS, LEVELS.length))
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

/** Typical short URLs with the modules per side of their codes at level M, as they are shown and in compact form. */
const TYPICAL: [url: string, shown: number, compact: number][] = [
  ["https://go.acme.com/ab12CD3", 29, 25],
  ["https://acme.link/ab12CD3", 25, 25],
  ["https://acme.co/ab12CD3", 25, 25],
  ["https://a.co/x7Kp2Qm", 25, 21],
  ["https://t.acme.com/menu", 25, 25],
  ["https://go.acme.com/menu", 25, 25],
  ["https://go.acme.com/summer-sale", 29, 25],
  ["https://go.acme.com/summer-sale-2026", 29, 25],
  ["https://links.acme-museum.org/room-12", 29, 25],
  ["https://links.acme-museum.org/ab12CD3", 29, 25],
  ["https://qr.restaurant-zur-post.at/speisekarte", 33, 29],
  ["https://qr.restaurant-zur-post.at/ab12CD3", 29, 29],
  ["https://acme.short.example.com/ab12CD3", 29, 25],
  ["https://acme.short.example.com/spring-flyer", 33, 29],
  ["https://l.stadt-wien.gv.at/info", 29, 25],
  ["https://xn--mnchen-3ya.de/ab12CD3", 29, 25],
  ["https://go.example.com/SALE2024", 29, 25],
  ["https://s.example.com/4711", 25, 25],
  ["https://promo.international-trade-fair.com/hall-3-booth-17", 33, 29],
  ["http://localhost:8787/ab12CD3", 29, 25],
];

test.each(TYPICAL)(
  "the compact code of %s is readable, and its side shrinks from %i to %i",
  async (url, shown, compact) => {
    const code = new URL(url).pathname.slice(1);
    const content = formatCompactUrl(url, code);
    expect(content).toBe(url.toUpperCase() + (code === code.toUpperCase() ? "/" : ""));
    expect([url, content].map((text) => buildSymbol(text, "M", null).matrix.side)).toEqual([shown, compact]);
    expect(await listFailingDecoders(await renderPixels(content, "M"), content)).toEqual([]);
  },
);
