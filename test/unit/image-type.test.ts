import fc from "fast-check";
import { expect, test } from "vitest";
import { readImageHeader } from "../../src/qr/image-header.ts";

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));

const PNG = bytesOf(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const GIF = bytesOf("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=");
const WEBP = bytesOf(
  "UklGRjwAAABXRUJQVlA4IDAAAACQAQCdASoQABAAAMASJaACdLoAA5gA/vwp0f7jW2kdMv/4Mx/+DMf/gzH/wTwAAAA=",
);
const LOSSLESS = bytesOf("UklGRiIAAABXRUJQVlA4TBYAAAAvD8ADEA8Qgzwo8x845j+i/8H///8P");
/** A screen of 16 × 16 and a palette; a comment; then a frame of 3,500 × 5. */
const SMALL_SCREEN_GIF = Uint8Array.of(
  ...ascii("GIF89a"),
  ...[16, 0, 16, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
  ...[0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x2c, 0],
  ...[0x2c, 0, 0, 0, 0, 0xac, 0x0d, 5, 0, 0],
);
/** 1,025 × 1,026, with an alpha channel. */
const EXTENDED = Uint8Array.of(
  ...ascii("RIFF"),
  ...[22, 0, 0, 0],
  ...ascii("WEBPVP8X"),
  ...[10, 0, 0, 0, 0x10, 0, 0, 0, 0x00, 0x04, 0x00, 0x01, 0x04, 0x00],
);
/** A comment, a fill byte and a table before the frame, which is 300 × 200. */
const JPEG = Uint8Array.of(
  ...[0xff, 0xd8, 0xff, 0xfe, 0, 4, 0x41, 0x42, 0xff, 0xff, 0xc4, 0, 3, 0],
  ...[0xff, 0xc2, 0, 11, 8, 0, 200, 1, 44, 1, 1, 0x11, 0],
);

test.each([
  ["PNG", PNG, { type: "image/png", width: 1, height: 1 }],
  ["GIF", GIF, { type: "image/gif", width: 1, height: 1 }],
  [
    "GIF with a frame wider than its screen",
    SMALL_SCREEN_GIF,
    { type: "image/gif", width: 3_500, height: 16 },
  ],
  ["lossy WebP", WEBP, { type: "image/webp", width: 16, height: 16 }],
  ["lossless WebP", LOSSLESS, { type: "image/webp", width: 16, height: 16 }],
  ["extended WebP", EXTENDED, { type: "image/webp", width: 1_025, height: 1_026 }],
  ["progressive JPEG", JPEG, { type: "image/jpeg", width: 300, height: 200 }],
])("%s is told by its bytes", (_, bytes, header) => {
  expect(readImageHeader(bytes)).toEqual(header);
  // Wherever they stand in a larger piece of memory.
  const larger = new Uint8Array(bytes.length + 7);
  larger.set(bytes, 5);
  expect(readImageHeader(larger.subarray(5, 5 + bytes.length))).toEqual(header);
});

test.each([
  ["nothing", []],
  ["text", ascii("hello")],
  ["SVG", ascii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["AVIF", [0, 0, 0, 24, ...ascii("ftypavif")]],
  ["BMP", [...ascii("BM"), ...new Array<number>(60).fill(0)]],
  ["another RIFF", [...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WAVEfmt ")]],
  ["GIF without a size", [...ascii("GIF89a"), 0, 0, 0, 0]],
  ["GIF without a frame", [...SMALL_SCREEN_GIF.slice(0, 21), 0x3b]],
  ["JPEG that is no sequence of segments", [0xff, 0xd8, 0xff, 0xe0, 0, 2, 0x41, 0x41, 0x41, 0x41]],
])("%s is none of them", (_, bytes) => {
  expect(readImageHeader(Uint8Array.from(bytes))).toBeNull();
});

test("no bytes make it throw or run on, however they are cut or changed", () => {
  for (const whole of [PNG, GIF, SMALL_SCREEN_GIF, WEBP, LOSSLESS, EXTENDED, JPEG]) {
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length - 1), fc.nat(255), (length, at, byte) => {
        const bytes = whole.slice(0, length);
        if (at < length) bytes[at] = byte;
        const header = readImageHeader(bytes);
        if (header !== null) expect(Math.min(header.width, header.height)).toBeGreaterThan(0);
      }),
    );
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void readImageHeader(bytes)));
});
