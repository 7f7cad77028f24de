import { expect, test } from "vitest";
import { decodeUnreserved, readRequestPath } from "../../src/routing/request-path.ts";

/** Returns the path as a request to this URL has it. */
const parse = (path: string) => new URL(`http://go.test${path}`).pathname;

test.each([
  // RFC 3986 section 6.2.2: normalization of case and of unreserved characters.
  ["/%6denu", "menu"],
  ["/%6Denu", "menu"],
  ["/%41%2D%5f%2E%7e", "A-_.~"],
  ["/a%2fb", "a/b"],
  // Cases of web-platform-tests, url/resources/urltestdata.json.
  ["/foo/%2e%2", "foo/.%2"],
  ["/foo/%2e./%2e%2e/.%2e/%2e.bar", "..bar"],
  ["/foo%", "foo%"],
  ["/foo%2", "foo%2"],
  ["/foo%2zbar", "foo%2zbar"],
  ["/foo%2Â©zbar", "foo%2Â©zbar"],
  ["/foo%41%7a", "fooAz"],
  ["/foo\u0091%91", "foo\u0091%91"],
  ["/foo%00%51", "foo\0Q"],
  ["/(%28:%3A%29)", "((::))"],
  ["/%3A%3a%3C%3c", "::<<"],
  ["/foo\tbar", "foobar"],
  ["\\\\foo\\\\bar", "/foo//bar"],
  ["/%7Ffp3%3Eju%3Dduvgw%3Dd", "\u007ffp3>ju=duvgw=d"],
  ["/@asdf%40", "@asdf@"],
  ["/你好你好", "你好你好"],
  ["/‥/foo", "‥/foo"],
  ["/\uFEFF/foo", "\uFEFF/foo"],
  ["/%EF%BB%BF/foo", "\uFEFF/foo"],
  ["/\u202E/foo/\u202D/bar", "\u202E/foo/\u202D/bar"],
  // Bytes that are no UTF-8 (RFC 3629 section 10), and the forms of Unicode that clients send.
  ["/%C3%A9%ff%c3", "é%ff%c3"],
  ["/%c0%80%e0%80%af%ed%a0%80%f4%90%80%80", "%c0%80%e0%80%af%ed%a0%80%f4%90%80%80"],
  ["/%F0%9F%92%A9", "💩"],
  ["/cafe%CC%81", "café"],
  // Rules of this service.
  ["/100%", "100%"],
  ["/100%25", "100%"],
  ["/%2541", "%41"],
  ["/menu/", "menu"],
  ["/menu//", "menu/"],
  ["/menu%2F", "menu/"],
  ["/a/b/", "a/b"],
  ["/", ""],
  ["//", "/"],
])("the path %j of a request means %j", (path, text) => {
  expect(readRequestPath(parse(path))).toBe(text);
});

test.each([
  ["/%6denu", "/menu"],
  ["/%7Ea%2Db%5Fc%2Ed", "/~a-b_c.d"],
  ["/a%2Fb%20c%C3%A9%", "/a%2Fb%20c%C3%A9%"],
  ["/%2541", "/%2541"],
])("decodeUnreserved turns %j into %j", (path, decoded) => {
  expect(decodeUnreserved(path)).toBe(decoded);
});
