import ICAL from "ical.js";
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

/**
 * Contents are encoded, scanned, and read with other parsers: ical.js for vCard and iCalendar, and for Wi-Fi, which no
 * package reads, one written from the source of ZXing.
 */

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

/** Parses a vCard or an iCalendar with ical.js, and returns the values of each property. */
function parseComponent(text: string, name?: string): Record<string, unknown> {
  const whole = new ICAL.Component(ICAL.parse(text));
  const component = name === undefined ? whole : whole.getFirstSubcomponent(name);
  const entries = (component?.getAllProperties() ?? []).map((property): [string, unknown] => {
    const type = property.getFirstParameter("type");
    const value = property.getFirstValue();
    return [type ? `${property.name} ${type}` : property.name, isText(value) ? value : String(value)];
  });
  return Object.fromEntries(entries);
}

function isText(value: unknown): boolean {
  return typeof value === "string" || Array.isArray(value);
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
  expect(parseComponent(text)).toEqual({
    version: "4.0",
    fn: "Žofia Nováková; PhD",
    n: ["Nováková; PhD", "Žofia", "", "", ""],
    org: "Müller, Söhne\\Co",
    title: "Chefin",
    "tel work": "+43 1 234",
    "tel cell": "+43 664 1",
    email: "zofia@example.com",
    url: "https://example.com/?a=1,2",
    adr: ["", "", "Hauptstraße 1", "Wien", "", "1010", "Österreich"],
    note: "Zeile 1\nZeile 2",
  });
  const organization = await scan({ type: "vcard", organization: "Acme" });
  expect(parseComponent(organization)).toMatchObject({ fn: "Acme", org: "Acme" });
  const injected = { type: "vcard", organization: "Acme", url: "https://acme.com/\r\nTEL:1" } as const;
  const contact = parseComponent(await scan(injected));
  expect(contact).toMatchObject({ url: "https://acme.com/%0D%0ATEL:1" });
  expect(contact).not.toHaveProperty("tel");
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
  expect(parseComponent(timed)).toMatchObject({ version: "2.0" });
  expect(parseComponent(timed, "vevent")).toMatchObject({
    uid: expect.stringMatching(/^\w+@signpost$/),
    dtstamp: "2026-12-24T17:00:00Z",
    dtstart: "2026-12-24T17:00:00Z",
    dtend: "2026-12-24T22:30:00Z",
    summary: "Opening; drinks, music",
    location: "Hall 3",
    description: "Bring\na friend",
  });
  const days = await scan({ type: "event", title: "Fair", start: "2026-12-30", end: "2026-12-31" });
  expect(parseComponent(days, "vevent")).toMatchObject({
    dtstamp: "2026-12-30T00:00:00Z",
    dtstart: "2026-12-30",
    dtend: "2027-01-01",
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
