import { expect, test } from "vitest";
import { findSource } from "../../src/scans/source.ts";
import { readUtm } from "../../src/scans/utm.ts";

test.each<[path: string, code: string, source: "qr" | undefined]>([
  ["/AB12CD3", "Ab12cD3", "qr"],
  ["/SUMMER-SALE", "summer-sale", "qr"],
  ["/SUMMER-SALE/", "summer-sale", "qr"],
  ["/Ab12cD3", "Ab12cD3", undefined],
  ["/ab12cd3", "Ab12cD3", undefined],
  ["/AB12cD3", "Ab12cD3", undefined],
  ["/Ab12cD3/", "Ab12cD3", undefined],
  // A code without lower-case letters is marked by a trailing slash.
  ["/AB12CD3/", "AB12CD3", "qr"],
  ["/AB12CD3", "AB12CD3", undefined],
  ["/ab12cd3/", "AB12CD3", undefined],
  ["/2345678/", "2345678", "qr"],
  ["/2345678", "2345678", undefined],
  ["/24-7/", "24-7", "qr"],
  ["/AB12CD3//", "Ab12cD3", undefined],
  ["/AB12CD34", "Ab12cD3", undefined],
  // Aliases have no compact form.
  ["/MENU", "ab12cd3", undefined],
  ["/MENU/", "ab12cd3", undefined],
  ["/menu/2024", "ab12cd3", undefined],
])("a visit of %s, for the short code %s, has the source %s", (path, code, source) => {
  expect(findSource(path, code, false)).toBe(source);
});

test("a visit from a bio page has the source page, unless the code was scanned", () => {
  expect(findSource("/menu", "menu", true)).toBe("page");
  expect(findSource("/MENU", "menu", true)).toBe("qr");
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
