import { expect, test } from "vitest";
import { findFilenameProblem } from "../../src/assets/filename.ts";
import { findImageProblem } from "../../src/assets/image-signature.ts";
import { isActiveContent, normalizeMimeType } from "../../src/assets/mime-type.ts";
import { formatContentDisposition } from "../../src/core/content-disposition.ts";
import { hmacSha256Hex } from "../../src/core/crypto.ts";

const encodeLatin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));

test.each([
  ["image/PNG", "image/png"],
  [" text/html ;Charset=UTF-8 ", "text/html; charset=UTF-8"],
  ['video/webm;codecs="vp8, opus"', 'video/webm; codecs="vp8, opus"'],
  ["application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.text"],
  ["image/svg+xml", "image/svg+xml"],
  ["text", null],
  ["text/", null],
  ["/plain", null],
  ["*/*", null],
  ["text/plain;", null],
  ["text/plain; charset", null],
  ["text/plain, text/html", null],
  ["text/plain\nx: y", null],
  ['text/plain; a="b\r\nc"', null],
])("normalizeMimeType(%j) returns %j", (text, expected) => {
  expect(normalizeMimeType(text)).toBe(expected);
});

test("normalizeMimeType rejects long malformed texts without slow backtracking", () => {
  expect(normalizeMimeType(`a/b${" ;".repeat(100_000)}`)).toBe(null);
  expect(normalizeMimeType(`a/b; c="${" ".repeat(100_000)}`)).toBe(null);
});

test.each([
  ["text/html; charset=utf-8", true],
  ["application/xhtml+xml", true],
  ["image/svg+xml", true],
  ["text/xml", true],
  ["application/atom+xml", true],
  ["application/xml-dtd", true],
  ["text/xsl", true],
  ["application/javascript", true],
  ["application/x-javascript", true],
  ["text/ecmascript", true],
  ["text/jscript", true],
  ["text/vbscript", true],
  ["application/x-sh", true],
  ["multipart/related", true],
  ["message/rfc822", true],
  ["image/png", false],
  ["text/plain", false],
  ["application/pdf", false],
  ["application/json", false],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", false],
  ["video/mp4", false],
])("isActiveContent(%j) returns %j", (mimeType, expected) => {
  expect(isActiveContent(mimeType)).toBe(expected);
});

test.each([
  ["plain.txt", 'inline; filename="plain.txt"'],
  // RFC 6266 section 5.
  ["€ rates", "inline; filename=\"_ rates\"; filename*=UTF-8''%E2%82%AC%20rates"],
  ['a"b\\c', "inline; filename=\"a_b_c\"; filename*=UTF-8''a%22b%5Cc"],
  ["it's (1)*.txt", 'inline; filename="it\'s (1)*.txt"'],
  ["é'(*).txt", "inline; filename=\"_'(*).txt\"; filename*=UTF-8''%C3%A9%27%28%2A%29.txt"],
  ["50%25.txt", "inline; filename=\"50_25.txt\"; filename*=UTF-8''50%2525.txt"],
])("formatContentDisposition encodes the file name %j as in RFC 6266", (filename, expected) => {
  expect(formatContentDisposition("inline", filename)).toBe(expected);
});

test.each([
  ["image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", true],
  ["image/png", "\xff\xd8\xff\xe0", false],
  ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF", true],
  ["image/jpg", "\xff\xd8\xff\xdb", true],
  ["image/jpeg", "<script>", false],
  ["image/gif", "GIF89a", true],
  ["image/gif", "GIF8", false],
  ["image/webp", "RIFF\x24\0\0\0WEBPVP8 ", true],
  ["image/webp", "RIFF\x24\0\0\0WAVEfmt ", false],
  ["image/avif", "\0\0\0\x1cftypavif\0\0\0\0mif1miaf", true],
  ["image/avif", "\0\0\0\x1cftypmif1\0\0\0\0avifmiaf", true],
  ["image/avif", "\0\0\0\x10ftypisom\0\0\0\0avif", false],
  ["image/heic", "\0\0\0\x18ftypheic\0\0\0\0mif1", true],
  ["image/heic", "\0\0\0\x18ftypisom\0\0\0\0mp42", false],
  ["image/bmp", "BM6\0", true],
  ["image/tiff", "II*\0", true],
  ["image/x-icon", "\0\0\x01\0\x01", true],
  ["image/jxl", "\xff\x0a", true],
  ["image/svg+xml", '\xef\xbb\xbf\n<?xml version="1.0"?>', true],
  ["image/svg+xml", "\xff\xfe<\0s\0v\0g\0", true],
  ["image/svg+xml", "\x89PNG", false],
  ["image/x-unheard-of", "anything", true],
  ["text/plain", "\x89PNG\r\n\x1a\n", true],
  ["image/png", "", false],
])("findImageProblem accepts a file declared as %s that begins with %j: %j", (type, head, expected) => {
  expect(findImageProblem(type, encodeLatin1(head)) === null).toBe(expected);
});

test.each([
  "..",
  ".",
  "a/b",
  "a\\b",
  "a\nb",
  "a\x7fb",
  "a\u0085b",
  "\ud800",
  " ",
  "",
  "a\u202eb",
  "a\u2028b",
])("findFilenameProblem rejects %j", (name) => {
  expect(findFilenameProblem(name)).not.toBe(null);
});

test.each(["a", "...", ".env", "日本.txt", "🎉", "👩‍👩‍👧.png", "a b.txt", "CON", "<img src=x>.png"])(
  "findFilenameProblem accepts %j",
  (name) => {
    expect(findFilenameProblem(name)).toBe(null);
  },
);

test("hmacSha256Hex returns the result of RFC 4231, test case 2", async () => {
  expect(await hmacSha256Hex("Jefe", "what do ya want for nothing?")).toBe(
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  );
});
