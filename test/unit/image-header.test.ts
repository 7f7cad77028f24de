import fc from "fast-check";
import { expect, test } from "vitest";
import { readImageHeader } from "../../src/qr/image-header.ts";

const decodeBase64 = (base64: string) =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const encodeAscii = (text: string) => [...text].map((character) => character.charCodeAt(0));

const PNG = decodeBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
);
const GIF = decodeBase64("R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=");
const WEBP = decodeBase64(
  "UklGRjwAAABXRUJQVlA4IDAAAACQAQCdASoQABAAAMASJaACdLoAA5gA/vwp0f7jW2kdMv/4Mx/+DMf/gzH/wTwAAAA=",
);
const LOSSLESS_WEBP = decodeBase64("UklGRiIAAABXRUJQVlA4TBYAAAAvD8ADEA8Qgzwo8x845j+i/8H///8P");
/** GIF with a screen of 16 × 16 pixels, a palette, a comment and a frame of 3,500 × 5 pixels. */
const SMALL_SCREEN_GIF = Uint8Array.of(
  ...encodeAscii("GIF89a"),
  ...[16, 0, 16, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
  ...[0x21, 0xfe, 2, 0x2c, 0x2c, 1, 0x2c, 0],
  ...[0x2c, 0, 0, 0, 0, 0xac, 0x0d, 5, 0, 0],
);
/** Extended WebP of 1,025 × 1,026 pixels with an alpha channel. */
const EXTENDED_WEBP = Uint8Array.of(
  ...encodeAscii("RIFF"),
  ...[22, 0, 0, 0],
  ...encodeAscii("WEBPVP8X"),
  ...[10, 0, 0, 0, 0x10, 0, 0, 0, 0x00, 0x04, 0x00, 0x01, 0x04, 0x00],
);
/** JPEG with a comment, a fill byte and a table before the frame of 300 × 200 pixels. */
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
  ["lossless WebP", LOSSLESS_WEBP, { type: "image/webp", width: 16, height: 16 }],
  ["extended WebP", EXTENDED_WEBP, { type: "image/webp", width: 1_025, height: 1_026 }],
  ["progressive JPEG", JPEG, { type: "image/jpeg", width: 300, height: 200 }],
])("readImageHeader reads type and size of a %s", (_, bytes, header) => {
  expect(readImageHeader(bytes)).toEqual(header);
  // The bytes can also be part of a larger buffer.
  const larger = new Uint8Array(bytes.length + 7);
  larger.set(bytes, 5);
  expect(readImageHeader(larger.subarray(5, 5 + bytes.length))).toEqual(header);
});

test.each([
  ["an empty file", []],
  ["text", encodeAscii("hello")],
  ["SVG", encodeAscii('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["AVIF", [0, 0, 0, 24, ...encodeAscii("ftypavif")]],
  ["BMP", [...encodeAscii("BM"), ...new Array<number>(60).fill(0)]],
  ["a RIFF file other than WebP", [...encodeAscii("RIFF"), 0, 0, 0, 0, ...encodeAscii("WAVEfmt ")]],
  ["a GIF without a size", [...encodeAscii("GIF89a"), 0, 0, 0, 0]],
  ["a GIF without a frame", [...SMALL_SCREEN_GIF.slice(0, 21), 0x3b]],
  ["a JPEG that is not a sequence of segments", [0xff, 0xd8, 0xff, 0xe0, 0, 2, 0x41, 0x41, 0x41, 0x41]],
])("readImageHeader returns null for %s", (_, bytes) => {
  expect(readImageHeader(Uint8Array.from(bytes))).toBeNull();
});

test("readImageHeader neither throws nor loops on truncated, changed or random bytes", () => {
  for (const whole of [PNG, GIF, SMALL_SCREEN_GIF, WEBP, LOSSLESS_WEBP, EXTENDED_WEBP, JPEG]) {
    fc.assert(
      fc.property(fc.nat(whole.length), fc.nat(whole.length - 1), fc.nat(255), (length, index, byte) => {
        const bytes = whole.slice(0, length);
        if (index < length) bytes[index] = byte;
        const header = readImageHeader(bytes);
        if (header !== null) expect(Math.min(header.width, header.height)).toBeGreaterThan(0);
      }),
    );
  }
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void readImageHeader(bytes)));
});

/** JPEG whose first segment has a marker and the form of a frame of 2 × 1 pixels. */
const buildJpeg = (marker: number) =>
  Uint8Array.of(...[0xff, 0xd8, 0xff, marker, 0, 11, 8, 0, 1, 0, 2, 1, 1, 0x11, 0]);

test("the frames of a JPEG are SOF0 to SOF15, without the tables and markers between them", () => {
  const markers = Array.from({ length: 256 }, (_, marker) => marker);
  const frames = markers.filter((marker) => readImageHeader(buildJpeg(marker)) !== null);
  const others = [0xc4, 0xc8, 0xcc];
  const expected = Array.from({ length: 16 }, (_, index) => 0xc0 + index).filter(
    (marker) => !others.includes(marker),
  );
  expect(frames).toEqual(expected);
});

test.each([
  [0, 1, false],
  [1, 0, false],
  [1, 1, true],
])("a PNG of %i × %i pixels has a header: %j", (width, height, isHeader) => {
  const bytes = PNG.slice();
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  expect(readImageHeader(bytes) !== null).toBe(isHeader);
});
