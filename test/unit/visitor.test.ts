import { describe, expect, test } from "vitest";
import { parseAcceptLanguage } from "../../src/core/accept-language.ts";
import type { Settings } from "../../src/env.ts";
import { type Geo, readGeo } from "../../src/routing/geo.ts";
import { hash32, RequestVisitor } from "../../src/routing/visitor.ts";

const ANDROID_DESKTOP_SITE =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";

function buildVisitor(headers: Record<string, string> = {}, geo: Geo = {}, path = "/x"): RequestVisitor {
  return new RequestVisitor(new Headers(headers), new URL(`https://go.example${path}`), geo);
}

test.each<[Geo, (string | null)[]]>([
  [{ country: "CA", continent: "NA", regionCode: "QC" }, ["CA", "NA", "CA-QC"]],
  [{ country: "GB", continent: "EU", regionCode: "ENG" }, ["GB", "EU", "GB-ENG"]],
  [{ country: "SG", continent: "AS" }, ["SG", "AS", null]],
  [{ country: "SG", continent: "AS", regionCode: "" }, ["SG", "AS", null]],
  [{ country: "XX" }, [null, null, null]],
  [{ country: "T1", regionCode: "QC" }, [null, null, null]],
  [{ regionCode: "QC" }, [null, null, null]],
  [{}, [null, null, null]],
])("a visitor with the geo %j has the country, continent and region %j", (geo, expected) => {
  const { country, continent, region } = buildVisitor({}, geo);
  expect([country, continent, region]).toEqual(expected);
});

test.each<[Record<string, string>, string]>([
  [{}, "desktop linux"],
  [{ "Sec-CH-UA-Mobile": "?0", "Sec-CH-UA-Platform": '"Linux"' }, "desktop linux"],
  [{ "Sec-CH-UA-Mobile": "?1", "Sec-CH-UA-Platform": '"Android"' }, "mobile android"],
  [{ "Sec-CH-UA-Platform": '"Chrome OS"' }, "desktop chromeos"],
  [{ "Sec-CH-UA-Platform": '"Unknown"' }, "desktop linux"],
  [{ "Sec-CH-UA-Platform": "" }, "desktop linux"],
])("client hints %j take precedence over the user agent: %s", (hints, expected) => {
  const { device, os } = buildVisitor({ "User-Agent": ANDROID_DESKTOP_SITE, ...hints });
  expect(`${device} ${os}`).toBe(expected);
});

test.each<[string, string[]]>([
  ["", []],
  ["*", []],
  ["fr", ["fr"]],
  ["fr-CA, fr;q=0.9, en;q=0.5, de;q=0.49, *;q=0.1", ["fr-ca", "fr", "en"]],
  ["EN-us,En;q=0.8", ["en-us", "en"]],
  ["de;q=1.000,fr;q=0.500", ["de", "fr"]],
  ["de ; q=0.7 , fr;Q=0.2", ["de"]],
  ["fr;q=0.5, en;q=0.8, de, nl;q=0.8", ["de", "en", "nl", "fr"]],
  ["de;q=0", []],
  ["de;q=", []],
  ["de;q=x", []],
  ["zh-Hant-TW", ["zh-hant-tw"]],
  [", ,;q=1,de", ["de"]],
])("parseAcceptLanguage(%j) returns %j", (header, expected) => {
  expect(parseAcceptLanguage(header, 0.5)).toEqual(expected);
  expect(buildVisitor({ "Accept-Language": header }).languages).toEqual(expected);
});

test.each<[Record<string, string>, string]>([
  [{}, "human"],
  [{ "User-Agent": "curl/8.7.1" }, "human"],
  [{ "User-Agent": "Twitterbot/1.0" }, "preview"],
  [{ "User-Agent": "Googlebot/2.1", "Sec-Purpose": "prefetch" }, "bot"],
  [{ "Sec-Purpose": "prefetch" }, "prefetch"],
  [{ "Sec-Purpose": "prefetch;prerender" }, "prefetch"],
  [{ "Sec-Purpose": "prefetch;anonymous-client-ip" }, "prefetch"],
  [{ Purpose: "prefetch" }, "prefetch"],
  [{ Purpose: "" }, "human"],
])("a request with the headers %j has the class %s", (headers, expected) => {
  expect(buildVisitor(headers).traffic).toBe(expected);
});

test.each([
  ["https://News.Example/a?b#c", "news.example"],
  ["https://news.example./a", "news.example"],
  ["http://localhost:3000/", "localhost"],
  ["android-app://com.example.app/", "com.example.app"],
  ["about:blank", null],
  ["no URL", null],
  ["", null],
])("the referrer of the header %j is %j", (header, expected) => {
  expect(buildVisitor({ Referer: header }).referrer).toBe(expected);
  expect(buildVisitor().referrer).toBeNull();
});

test("the visitor's query contains the parameters of the short URL", () => {
  expect([...buildVisitor({}, {}, "/x?a=1&a=2&b").query]).toEqual([
    ["a", "1"],
    ["a", "2"],
    ["b", ""],
  ]);
});

describe("hash32", () => {
  test("returns the same 32-bit number each time", () => {
    for (const text of ["", "a", "link:0:203.0.113.7:curl", "🙂".repeat(100)]) {
      expect(hash32(text)).toBe(hash32(text));
      expect(hash32(text)).toBeGreaterThanOrEqual(0);
      expect(hash32(text)).toBeLessThan(2 ** 32);
    }
  });

  test("spreads texts that differ in their last character over all values modulo 100", () => {
    const shares = new Set(Array.from({ length: 2_000 }, (_, i) => hash32(`link:0:203.0.113.${i}`) % 100));
    expect(shares.size).toBe(100);
  });
});

test("a visitor without IP address and user agent has a constant share from 0 to 99", () => {
  const share = buildVisitor().share("link:0");
  expect(share).toBe(buildVisitor().share("link:0"));
  expect(Number.isInteger(share) && share >= 0 && share < 100).toBe(true);
});

test("the first 20 entries of Accept-Language are read, whatever the header's length", () => {
  const tags = Array.from(
    { length: 30 },
    (_, index) => `a${String.fromCharCode(97 + (index % 26))}-${index}`,
  );
  expect(parseAcceptLanguage(tags.join(","), 0.5)).toEqual(tags.slice(0, 20));
  expect(parseAcceptLanguage(`${"x".repeat(60_000)},fr,${"de,".repeat(20_000)}`, 0.5)).toEqual([
    "fr",
    ...Array(18).fill("de"),
  ]);
  expect(parseAcceptLanguage(",".repeat(120_000), 0.5)).toEqual([]);
});

test.each(["Android", "iOS"])("a desktop browser on %s is a tablet", (platform) => {
  const headers = { "Sec-CH-UA-Platform": `"${platform}"`, "User-Agent": ANDROID_DESKTOP_SITE };
  expect(buildVisitor(headers).device).toBe("tablet");
});

test("an entry of Accept-Language is read up to 100 characters, and 20 entries are read", () => {
  expect(parseAcceptLanguage(`fr${" ".repeat(98)},en`, 0.5)).toEqual(["fr", "en"]);
  expect(parseAcceptLanguage(`fr${" ".repeat(99)},en`, 0.5)).toEqual(["en"]);
  const tags = Array.from({ length: 21 }, (_, index) => `a${index}`);
  expect(parseAcceptLanguage(tags.join(","), 0.5)).toEqual(tags.slice(0, 20));
});

test("parseAcceptLanguage can return languages of every quality but 0", () => {
  expect(parseAcceptLanguage("fr;q=0.001, de;q=0, en;q=0.1", 0)).toEqual(["en", "fr"]);
});

test.each([
  ["0.5", ["fr"]],
  ["0.499", []],
])("a language with the quality %s gives %j", (quality, expected) => {
  expect(parseAcceptLanguage(`fr;q=${quality}`, 0.5)).toEqual(expected);
});

describe("readGeo", () => {
  const HEADERS = { "CF-IPCountry": "CA", "CF-IPContinent": "NA", "CF-Region-Code": "QC" };
  const read = (allowLoopback: boolean, headers: Record<string, string>, cf?: object) =>
    readGeo({ headers: new Headers(headers), cf } as unknown as Request, { allowLoopback } as Settings);

  test("trusts the platform in a deployment, and no header of a visitor", () => {
    expect(read(false, HEADERS, { country: "DE" })).toEqual({ country: "DE" });
    expect(read(false, HEADERS)).toEqual({});
  });

  test("reads headers in local development, and ignores the runtime's invented values", () => {
    expect(read(true, HEADERS, { country: "US" })).toEqual({
      country: "CA",
      continent: "NA",
      regionCode: "QC",
    });
    expect(read(true, { "CF-IPContinent": "NA" }, { country: "US" })).toEqual({});
    expect(read(true, { "CF-IPCountry": "CA" })).toEqual({ country: "CA" });
  });
});

test.each<[string, number]>([
  ["", 0xab3e7c0b],
  ["a", 0x1a80b1b3],
  ["foobar", 0x0c0da6dc],
  ["é", 0xbaf79669],
  ["link:203.0.113.7:curl", 0x85339a85],
])("hash32 of %j stays the same, so that a visitor stays on the same side of a split", (text, hash) => {
  expect(hash32(text)).toBe(hash);
});
