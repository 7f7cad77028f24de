import { expect, test } from "vitest";
import { HSTS, isPlainHttp, isSecure } from "../../src/core/transport.ts";

test.each([
  ["http://api.example/v1", "https://api.example", true, false],
  ["https://api.example/v1", "https://api.example", false, true],
  ["http://localhost:8787/v1", "http://localhost:8787", false, false],
  ["https://localhost:8787/v1", "http://localhost:8787", false, false],
])("%s on the surface %s: isPlainHttp %j, isSecure %j", (request, surface, plain, secure) => {
  expect(isPlainHttp(request, surface)).toBe(plain);
  expect(isSecure(request, surface)).toBe(secure);
});

test("browsers use https for a year", () => {
  expect(HSTS).toEqual(["Strict-Transport-Security", `max-age=${365 * 24 * 60 * 60}`]);
});
