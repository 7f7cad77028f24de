import { expect, test } from "vitest";
import { isCompactPath } from "../../src/routing/compact-code.ts";
import { readUtm } from "../../src/scans/utm.ts";

test.each<[path: string, code: string, isCompact: boolean]>([
  ["/AB12CD3", "Ab12cD3", true],
  ["/SUMMER-SALE", "summer-sale", true],
  ["/SUMMER-SALE/", "summer-sale", true],
  ["/Ab12cD3", "Ab12cD3", false],
  ["/ab12cd3", "Ab12cD3", false],
  ["/AB12cD3", "Ab12cD3", false],
  ["/Ab12cD3/", "Ab12cD3", false],
  // A code without lower-case letters is marked by a trailing slash.
  ["/AB12CD3/", "AB12CD3", true],
  ["/AB12CD3", "AB12CD3", false],
  ["/ab12cd3/", "AB12CD3", false],
  ["/2345678/", "2345678", true],
  ["/2345678", "2345678", false],
  ["/24-7/", "24-7", true],
  ["/AB12CD3//", "Ab12cD3", false],
  ["/AB12CD34", "Ab12cD3", false],
  // Aliases have no compact form.
  ["/MENU", "ab12cd3", false],
  ["/MENU/", "ab12cd3", false],
  ["/menu/2024", "ab12cd3", false],
])("the path %s is from a compact QR code of the short code %s: %s", (path, code, isCompact) => {
  expect(isCompactPath(path, code)).toBe(isCompact);
});

test.each<[query: string, values: object | undefined]>([
  ["", undefined],
  ["?utm_source=mail", { utm_source: "mail" }],
  [
    "?a=1&utm_source=x%20y+z&utm_medium=%C3%A9&utm_campaign=50%25#utm_source=no",
    {
      utm_source: "x y z",
      utm_medium: "é",
      utm_campaign: "50%",
    },
  ],
  ["?utm_source=first&utm_source=second", { utm_source: "first" }],
  ["?utm_source=Mail", { utm_source: "Mail" }],
  ["?utm_source=&utm_medium=%20&utm_campaign=none", undefined],
  ["?utm_term=a&UTM_SOURCE=b", undefined],
  ["?utm_source=%FF%", { utm_source: "\ufffd%" }],
  ["/utm_source=path", undefined],
  ["#?utm_source=fragment", undefined],
  [`?utm_source=${"x".repeat(120)}`, { utm_source: "x".repeat(100) }],
  [`?utm_source=${"x".repeat(99)}😀`, { utm_source: "x".repeat(99) }],
])("the UTM values of a destination with %s are %j", (query, values) => {
  expect(readUtm(`https://example.com/${query}`)).toEqual(values);
});
