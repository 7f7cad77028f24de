import { expect, test } from "vitest";
import { parseRange } from "../../src/assets/byte-range.ts";
import { createExactLengthStream, requireContentLength } from "../../src/assets/exact-length.ts";
import { findImageProblem, IMAGE_HEAD_BYTES } from "../../src/assets/image-signature.ts";
import { evaluatePreconditions, isRangeApplicable } from "../../src/assets/preconditions.ts";
import { signUploadPath, verifyUploadUrl } from "../../src/assets/upload-url.ts";

test.each([
  ["bytes=0-0", 10, { offset: 0, length: 1 }],
  ["bytes=9-9", 10, { offset: 9, length: 1 }],
  ["bytes=9-", 10, { offset: 9, length: 1 }],
  ["bytes=10-", 10, "unsatisfiable"],
  ["bytes=10-20", 10, "unsatisfiable"],
  ["bytes=5-9", 10, { offset: 5, length: 5 }],
  ["bytes=5-10", 10, { offset: 5, length: 5 }],
  ["bytes=5-5", 10, { offset: 5, length: 1 }],
  ["bytes=5-4", 10, null],
  ["bytes=-1", 10, { offset: 9, length: 1 }],
  ["bytes=-10", 10, { offset: 0, length: 10 }],
  ["bytes=-11", 10, { offset: 0, length: 10 }],
  ["bytes=-0", 10, "unsatisfiable"],
  ["bytes=-1", 0, "unsatisfiable"],
  ["bytes=0-", 0, "unsatisfiable"],
  ["bytes=-", 10, null],
  ["bytes=0-1,3-4", 10, null],
  ["chars=0-1", 10, null],
  [null, 10, null],
] as const)("parseRange(%j) of %i bytes", (header, size, expected) => {
  expect(parseRange(header, size)).toEqual(expected);
});

/**
 * Passes chunks of the given sizes through a stream of a declared size. Returns the received bytes, or the
 * error.
 */
async function pass(sizeBytes: number, ...chunks: number[]): Promise<number | string> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const size of chunks) controller.enqueue(new Uint8Array(size));
      controller.close();
    },
  });
  let received = 0;
  try {
    for await (const chunk of source.pipeThrough(createExactLengthStream(sizeBytes)))
      received += chunk.byteLength;
  } catch (error) {
    return (error as Error).message;
  }
  return received;
}

const TOO_LONG = "body: must have exactly 10 bytes, but has more";
const TOO_SHORT = "body: must have exactly 10 bytes, but has fewer";

test("a body of exactly the declared size passes, and one byte more or less fails", async () => {
  expect(await pass(10, 10)).toBe(10);
  expect(await pass(10, 4, 6)).toBe(10);
  expect(await pass(10, 4, 7)).toBe(TOO_LONG);
  expect(await pass(10, 10, 1)).toBe(TOO_LONG);
  expect(await pass(10, 4, 5)).toBe(TOO_SHORT);
  expect(await pass(10)).toBe(TOO_SHORT);
  expect(() => requireContentLength(10, 10)).not.toThrow();
  expect(() => requireContentLength(11, 10)).toThrow(TOO_LONG);
  expect(() => requireContentLength(9, 10)).toThrow(TOO_SHORT);
});

const FILE = { etag: '"abc"', modifiedMs: Date.parse("2026-11-21T09:30:00.900Z") };
const SAME = "Sat, 21 Nov 2026 09:30:00 GMT";
const BEFORE = "Sat, 21 Nov 2026 09:29:59 GMT";
const AFTER = "Sat, 21 Nov 2026 09:30:01 GMT";

test.each<[Record<string, string>, 304 | 412 | null]>([
  [{}, null],
  [{ "If-Modified-Since": SAME }, 304],
  [{ "If-Modified-Since": AFTER }, 304],
  [{ "If-Modified-Since": BEFORE }, null],
  [{ "If-Modified-Since": "yesterday" }, null],
  [{ "If-Unmodified-Since": SAME }, null],
  [{ "If-Unmodified-Since": AFTER }, null],
  [{ "If-Unmodified-Since": BEFORE }, 412],
  [{ "If-Match": '"abc"', "If-Unmodified-Since": BEFORE }, null],
  [{ "If-Match": '"abd"' }, 412],
  [{ "If-Match": 'W/"abc"' }, 412],
  [{ "If-Match": "*" }, null],
  [{ "If-None-Match": '"abd"', "If-Modified-Since": SAME }, null],
  [{ "If-None-Match": '"abd", W/"abc"' }, 304],
  [{ "If-None-Match": "*" }, 304],
])("a request with %j returns %j", (headers, expected) => {
  expect(evaluatePreconditions(new Headers(headers), FILE)).toBe(expected);
});

test.each([
  [undefined, true],
  ['"abc"', true],
  ['"abd"', false],
  ['W/"abc"', false],
  [SAME, true],
  [AFTER, false],
  [BEFORE, false],
])("a range with If-Range %j applies: %j", (ifRange, expected) => {
  const headers = new Headers(ifRange === undefined ? {} : { "If-Range": ifRange });
  expect(isRangeApplicable(headers, FILE)).toBe(expected);
});

const SECRET = "x".repeat(32);
const GRANT = {
  workspaceId: "w",
  assetId: "a",
  fileSize: 16,
  mimeType: "image/png",
  expiresAtSeconds: 1_800_000_000,
};

async function verify(nowMs: number, change = (path: string) => path, secret = SECRET) {
  const path = await signUploadPath(SECRET, GRANT);
  return verifyUploadUrl(secret, new URL(change(path), "https://api.example"), nowMs);
}

test("an upload URL is valid until the millisecond before it expires, and only unchanged", async () => {
  expect(await verify(1_799_999_999_999)).toEqual(GRANT);
  expect(await verify(1_800_000_000_000)).toBe("expired");
  for (const [from, to] of [
    ["size=16", "size=17"],
    ["size=16", "size=%2B16"],
    ["size=16", "size=16.0"],
    ["image%2Fpng", "image%2Fgif"],
    ["expires=18", "expires=19"],
    ["/a?", "/b?"],
    ["/w/", "/v/"],
    ["&signature=", "&size=16&signature="],
    ["signature=", "signature=0"],
  ] as const) {
    expect(await verify(0, (path) => path.replace(from, to)), to).toBe("invalid");
  }
  expect(await verify(0, (path) => path, "y".repeat(32))).toBe("invalid");
  await expect(verify(0, (path) => path, "x".repeat(31))).rejects.toThrow("at least 32 characters");
});

/** Head of an ISO base media file whose `ftyp` box declares its length. */
function buildBox(length: number, ...brands: string[]): Uint8Array {
  const text = `\0\0\0${String.fromCharCode(length)}ftyp${brands.join("")}`;
  return Uint8Array.from(text.padEnd(IMAGE_HEAD_BYTES, "\0"), (character) => character.charCodeAt(0));
}

test.each([
  ["the major brand", buildBox(16, "avif", "0000"), true],
  ["a compatible brand", buildBox(20, "mif1", "0000", "avif"), true],
  ["a brand that stands in the version", buildBox(20, "mif1", "avif", "mif1"), false],
  ["a brand after the end of the box", buildBox(16, "mif1", "0000", "avif"), false],
  ["a brand that the box cuts", buildBox(19, "mif1", "0000", "avif"), false],
  ["a box that declares more than the file has", buildBox(255, "mif1", "0000", "avif"), true],
])("findImageProblem reads %s", (_, head, isAvif) => {
  expect(findImageProblem("image/avif", head) === null).toBe(isAvif);
});
