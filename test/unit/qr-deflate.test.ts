import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressBands } from "../../src/qr/bytes.ts";
import { ZlibWriter } from "../../src/qr/deflate.ts";
import { sumBytes } from "../../src/qr/span.ts";

/** Writes bytes followed by copies of them, and compares the output read by zlib. */
function expectCopies(bytes: readonly number[], copies: readonly [length: number, distance: number][]): void {
  const writer = new ZlibWriter();
  const expected = [...bytes];
  for (const byte of bytes) writer.writeLiteral(byte);
  for (const [length, distance] of copies) {
    writer.writeCopy(length, distance);
    for (let i = 0; i < length; i++) expected.push(expected[expected.length - distance] as number);
  }
  const { sum, sumOfSums } = sumBytes(Uint8Array.from(expected));
  writer.addToChecksum(expected.length, sum, sumOfSums);
  expect(inflateSync(writer.finish()).equals(Uint8Array.from(expected))).toBe(true);
}

const BYTES = Array.from({ length: 40_000 }, (_, index) => Math.imul(index, 2_654_435_761) >>> 24);

test("a copy has any length from 3 bytes, including lengths that take several copies of at most 258", () => {
  for (const length of [...Array(270).keys(), 515, 516, 517, 518, 519, 774, 775].filter((n) => n >= 3)) {
    expectCopies(BYTES.slice(0, 20), [[length, 7]]);
  }
});

test("a copy has any distance up to 32,768 bytes, tested at the edges of every range", () => {
  const edges = [1, 2, 3, 4, ...Array.from({ length: 14 }, (_, bits) => 2 << bits)].flatMap((edge) => [
    edge,
    edge + 1,
    Math.floor(edge * 1.5),
    Math.floor(edge * 1.5) + 1,
    edge * 2,
  ]);
  expectCopies(
    BYTES,
    edges.map((distance) => [5, distance]),
  );
  for (const distance of edges.filter((edge) => edge <= 64))
    expectCopies(BYTES.slice(0, 64), [[5, distance]]);
});

test("a block of rare and frequent bytes has codes of at most 15 bits", () => {
  // Including the end of the block, which occurs once, counts that grow like the Fibonacci numbers create the
  // deepest tree: as many bits as there are kinds of bytes.
  for (const kinds of [15, 16, 17, 20]) {
    const bytes: number[] = [];
    for (let byte = 0, [count, next] = [1, 2]; byte < kinds; byte++, [count, next] = [next, count + next]) {
      for (let i = 0; i < count; i++) bytes.push(byte);
    }
    expectCopies(bytes, []);
  }
});

test("bands of any length are compressed in order, even if the caller reuses their array", async () => {
  const lengths = [40_000, 25_536, 1, 70_000, 0, 65_536, 10];
  function* listBands(array: Uint8Array) {
    for (const [index, length] of lengths.entries()) yield array.fill(index).subarray(0, length);
  }
  const bytes = Buffer.concat(lengths.map((length, index) => Buffer.alloc(length, index)));
  const compressed = await compressBands(listBands(new Uint8Array(70_000)));
  expect(inflateSync(compressed).equals(bytes)).toBe(true);
});
