import { describe, expect, test } from "vitest";
import { structuredContent } from "../../src/qr/content.schema.ts";
import { CONTENT_TYPES, parseContent } from "../../src/qr/content-fields.ts";
import { resolveDesign } from "../../src/qr/design.ts";
import { renderPng } from "../../src/qr/png.ts";
import {
  type ContentType,
  encodeStructured,
  type StructuredContent,
} from "../../src/qr/structured-content.ts";
import { buildSymbol } from "../../src/qr/symbol.ts";
import { readPng } from "../support/png.ts";
import { decodeWithJsQr, decodeWithZxing } from "./support/qr-decoders.ts";

/** Contents are encoded, scanned, and read with parsers written from their specifications. */

async function scan(content: StructuredContent): Promise<string> {
  expect(structuredContent.parse(content)).toEqual(content);
  const text = encodeStructured(content);
  const png = await readPng(
    await renderPng(buildSymbol(text, "M", null), resolveDesign({ quiet_zone: 4 }), 4, null),
  );
  expect(decodeWithJsQr(png)).toBe(text);
  expect(await decodeWithZxing(png)).toBe(text);
  return text;
}

/** Parses a Wi-Fi login like `matchPrefixedField` of ZXing: a field ends at the first `;` without a backslash. */
function parseWifi(text: string): Record<string, string> {
  expect(text.startsWith("WIFI:") && text.endsWith(";;")).toBe(true);
  const fields: Record<string, string> = {};
  let [name, value] = ["", ""];
  let isName = true;
  for (let i = 5; i < text.length - 1; i++) {
    const character = text[i] as string;
    if (character === "\\") value += text[++i];
    else if (isName && character === ":") isName = false;
    else if (character === ";") {
      fields[name] = value;
      [name, value] = ["", ""];
      isName = true;
    } else if (isName) name += character;
    else value += character;
  }
  return fields;
}

/** Parses lines of vCard or iCalendar: unfolds them, and unescapes the components of each value. */
function parseLines(text: string): Record<string, string[]> {
  expect(text).toMatch(/\r\n$/);
  const lines = text
    .replace(/\r\n[ \t]/g, "")
    .split("\r\n")
    .slice(0, -1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      const components = `${line.slice(colon + 1)};`.match(/(?:[^\\;]|\\.)*;/gs) ?? [];
      const unescaped = components.map((part) =>
        part.slice(0, -1).replace(/\\([\\;,nN])/g, (_, escaped) => (/n/i.test(escaped) ? "\n" : escaped)),
      );
      return [line.slice(0, colon), unescaped];
    }),
  );
}

describe("wifi", () => {
  test.each([
    [
      { ssid: "Guests", password: "welcome" },
      { T: "WPA", S: "Guests", P: "welcome" },
    ],
    [
      { ssid: 'a;b\\c,d:e"f', password: "\\;" },
      { T: "WPA", S: 'a;b\\c,d:e"f', P: "\\;" },
    ],
    [{ ssid: "Café 日本" }, { T: "nopass", S: "Café 日本" }],
    [
      { ssid: "x", password: " spaces ", security: "WEP", hidden: true },
      { T: "WEP", S: "x", P: " spaces ", H: "true" },
    ],
    [
      { ssid: "x", password: "unused", security: "nopass" },
      { T: "nopass", S: "x" },
    ],
  ] as const)("%j", async (content, fields) => {
    expect(parseWifi(await scan({ type: "wifi", ...content }))).toEqual(fields);
  });
});

test("a contact is a vCard 4.0 with its non-ASCII and special characters", async () => {
  const text = await scan({
    type: "vcard",
    first_name: "Žofia",
    last_name: "Nováková; PhD",
    organization: "Müller, Söhne\\Co",
    title: "Chefin",
    phone: "+43 1 234",
    mobile: "+43 664 1",
    email: "zofia@example.com",
    url: "https://example.com/?a=1,2",
    street: "Hauptstraße 1",
    city: "Wien",
    postal_code: "1010",
    country: "Österreich",
    note: "Zeile 1\nZeile 2",
  });
  expect(text).toMatch(/^BEGIN:VCARD\r\nVERSION:4\.0\r\n[\s\S]*END:VCARD\r\n$/);
  expect(parseLines(text)).toEqual({
    BEGIN: ["VCARD"],
    VERSION: ["4.0"],
    FN: ["Žofia Nováková; PhD"],
    N: ["Nováková; PhD", "Žofia", "", "", ""],
    ORG: ["Müller, Söhne\\Co"],
    TITLE: ["Chefin"],
    "TEL;TYPE=work,voice": ["+43 1 234"],
    "TEL;TYPE=cell": ["+43 664 1"],
    EMAIL: ["zofia@example.com"],
    URL: ["https://example.com/?a=1,2"],
    ADR: ["", "", "Hauptstraße 1", "Wien", "", "1010", "Österreich"],
    NOTE: ["Zeile 1\nZeile 2"],
    END: ["VCARD"],
  });
  const injected = { type: "vcard", organization: "Acme", url: "https://acme.com/\r\nTEL:1" } as const;
  expect(parseLines(await scan(injected))).toEqual({
    ...{ BEGIN: ["VCARD"], VERSION: ["4.0"], FN: ["Acme"], ORG: ["Acme"] },
    ...{ URL: ["https://acme.com/%0D%0ATEL:1"], END: ["VCARD"] },
  });
});

test("an event is an iCalendar with times in UTC, or with whole days", async () => {
  const timed = await scan({
    type: "event",
    title: "Opening; drinks, music",
    start: "2026-12-24T18:00:00+01:00",
    end: "2026-12-24T23:30:00+01:00",
    location: "Hall 3",
    description: "Bring\na friend",
  });
  expect(timed.split("\r\n").filter((line) => /^(?:BEGIN|END)/.test(line))).toEqual([
    "BEGIN:VCALENDAR",
    "BEGIN:VEVENT",
    "END:VEVENT",
    "END:VCALENDAR",
  ]);
  expect(parseLines(timed)).toMatchObject({
    VERSION: ["2.0"],
    UID: [expect.stringMatching(/^\w+@signpost$/)],
    DTSTAMP: ["20261224T170000Z"],
    DTSTART: ["20261224T170000Z"],
    DTEND: ["20261224T223000Z"],
    SUMMARY: ["Opening; drinks, music"],
    LOCATION: ["Hall 3"],
    DESCRIPTION: ["Bring\na friend"],
  });
  const days = await scan({ type: "event", title: "Fair", start: "2026-12-30", end: "2026-12-31" });
  expect(parseLines(days)).toMatchObject({
    DTSTAMP: ["20261230T000000Z"],
    "DTSTART;VALUE=DATE": ["20261230"],
    "DTEND;VALUE=DATE": ["20270101"],
  });
});

test("an email is a mailto URI", async () => {
  const url = new URL(
    await scan({ type: "email", to: "a+b&c@example.com", subject: "Grüße & mehr?", body: "1\n2=3" }),
  );
  expect([url.protocol, decodeURIComponent(url.pathname)]).toEqual(["mailto:", "a+b&c@example.com"]);
  expect(Object.fromEntries(url.searchParams)).toEqual({ subject: "Grüße & mehr?", body: "1\r\n2=3" });
  expect(await scan({ type: "email", to: "ada@example.com" })).toBe("mailto:ada@example.com");
});

test.each([
  [{ type: "phone", number: "+44 (20) 7946-0000" }, "tel:+442079460000"],
  [{ type: "phone", number: "*100#" }, "tel:*100%23"],
  [{ type: "sms", number: "+1 202 555 0100" }, "sms:+12025550100"],
  [{ type: "sms", number: "4711", body: "Ja & nein" }, "sms:4711?body=Ja%20%26%20nein"],
  [{ type: "place", latitude: 48.2083, longitude: -16.37312345678 }, "geo:48.2083,-16.3731235"],
  [{ type: "place", latitude: 1e-9, longitude: 180 }, "geo:0,180"],
] as [StructuredContent, string][])("%j is %s", async (content, text) => {
  expect(await scan(content)).toBe(text);
});

test.each([
  ["wifi", {}, "ssid: is required"],
  ["wifi", { ssid: "x", security: "WPA" }, "password: is required for WPA"],
  ["wifi", { ssid: "x", security: "WPA9" }, "security: must be one of WPA, WEP, nopass"],
  ["vcard", { note: "x" }, "first_name: is required, unless"],
  ["phone", { number: "call me" }, "number: must be a phone number"],
  ["place", { latitude: "91", longitude: "0" }, "latitude: must be a number from -90 to 90"],
  ["place", { latitude: "x", longitude: "0" }, "latitude: must be a number"],
  ["event", { title: "x", start: "tomorrow" }, "start: must be a date"],
  [
    "event",
    { title: "x", start: "2026-12-24", end: "2026-12-24T10:00:00Z" },
    "end: must be a date or a time like start",
  ],
  ["event", { title: "x", start: "2026-12-24", end: "2026-12-23" }, "end: must not be before start"],
] as [ContentType, Record<string, string>, string][])(
  "typed text of %s: %j is rejected",
  (type, typed, message) => {
    const { problem } = parseContent(type, typed);
    expect(`${problem?.field}: ${problem?.message}`).toContain(message);
  },
);

test("typed text becomes the content that the API takes, without empty fields", () => {
  const { content } = parseContent("wifi", {
    ssid: " Guests ",
    password: " x ",
    hidden: "true",
    security: "",
  });
  expect(content).toEqual({ type: "wifi", ssid: "Guests", password: " x ", hidden: true });
  expect(parseContent("place", { latitude: "48.5", longitude: "-16" }).content).toEqual({
    type: "place",
    latitude: 48.5,
    longitude: -16,
  });
  expect(CONTENT_TYPES).toEqual(structuredContent.def.options.map((option) => option.shape.type.value));
});
