// Pure: no I/O, clock or randomness.

/**
 * Contents that phones understand: a Wi-Fi login, a contact and so on. Each type is written in its published format:
 *
 * - `wifi`: "WIFI:" of the ZXing wiki, page Barcode Contents. Android and iOS read it.
 * - `vcard`: vCard 4.0 (RFC 6350).
 * - `email`: mailto URI (RFC 6068).
 * - `phone`: tel URI (RFC 3966).
 * - `sms`: sms URI (RFC 5724).
 * - `place`: geo URI (RFC 5870).
 * - `event`: iCalendar (RFC 5545).
 */

export const WIFI_SECURITIES = ["WPA", "WEP", "nopass"] as const;

export interface WifiContent {
  type: "wifi";
  ssid: string;
  password?: string | undefined;
  /** Default: `WPA` with a password, otherwise `nopass`. WPA includes WPA2 and WPA3. */
  security?: (typeof WIFI_SECURITIES)[number] | undefined;
  hidden?: boolean | undefined;
}

export interface VcardContent {
  type: "vcard";
  first_name?: string | undefined;
  last_name?: string | undefined;
  organization?: string | undefined;
  title?: string | undefined;
  phone?: string | undefined;
  mobile?: string | undefined;
  email?: string | undefined;
  url?: string | undefined;
  street?: string | undefined;
  city?: string | undefined;
  region?: string | undefined;
  postal_code?: string | undefined;
  country?: string | undefined;
  note?: string | undefined;
}

export interface EmailContent {
  type: "email";
  to: string;
  subject?: string | undefined;
  body?: string | undefined;
}

export interface PhoneContent {
  type: "phone";
  number: string;
}

export interface SmsContent {
  type: "sms";
  number: string;
  body?: string | undefined;
}

export interface PlaceContent {
  type: "place";
  latitude: number;
  longitude: number;
}

export interface EventContent {
  type: "event";
  title: string;
  /** A date, for a whole day, or a time with its offset. */
  start: string;
  /** End, in the format of `start`. If the event lasts whole days, its last day. */
  end?: string | undefined;
  location?: string | undefined;
  description?: string | undefined;
}

export type StructuredContent =
  | WifiContent
  | VcardContent
  | EmailContent
  | PhoneContent
  | SmsContent
  | PlaceContent
  | EventContent;

export type ContentType = StructuredContent["type"];

/** Date for an event that lasts whole days. */
export const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;
/** Phone number with the separators that people write. */
export const PHONE_NUMBER = /^\+?[ ()./*#-]{0,10}\d[\d ()./*#-]{0,29}$/;
const DAY_MS = 86_400_000;

/** Returns true for a date, or a time with its offset. */
export function isMoment(text: string): boolean {
  return MOMENT.test(text) && !Number.isNaN(Date.parse(text));
}

/** Returns the text that the code contains. */
export function encodeStructured(content: StructuredContent): string {
  switch (content.type) {
    case "wifi":
      return encodeWifi(content);
    case "vcard":
      return encodeVcard(content);
    case "email":
      return formatUri(`mailto:${encodeURIComponent(content.to).replaceAll("%40", "@")}`, {
        subject: content.subject,
        body: content.body,
      });
    case "phone":
      return `tel:${cleanNumber(content.number)}`;
    case "sms":
      return formatUri(`sms:${cleanNumber(content.number)}`, { body: content.body });
    case "place":
      return `geo:${formatDegrees(content.latitude)},${formatDegrees(content.longitude)}`;
    case "event":
      return encodeEvent(content);
  }
}

function encodeWifi({ ssid, password = "", security, hidden }: WifiContent): string {
  const kind = security ?? (password === "" ? "nopass" : "WPA");
  const secret = kind === "nopass" ? "" : `P:${escapeWifi(password)};`;
  return `WIFI:T:${kind};S:${escapeWifi(ssid)};${secret}${hidden ? "H:true;" : ""};`;
}

function escapeWifi(text: string): string {
  return text.replace(/[\\;,:"]/g, "\\$&");
}

function encodeVcard(content: VcardContent): string {
  const {
    first_name = "",
    last_name = "",
    organization = "",
    title,
    phone,
    mobile,
    email,
    url,
    note,
  } = content;
  const { street = "", city = "", region = "", postal_code = "", country = "" } = content;
  const name = [first_name, last_name].filter((part) => part !== "").join(" ");
  const address = ["", "", street, city, region, postal_code, country];
  const hasAddress = address.some((part) => part !== "");
  return formatLines([
    ["BEGIN", "VCARD"],
    ["VERSION", "4.0"],
    ["FN", escapeWhole(name === "" ? organization : name)],
    ["N", name === "" ? "" : `${escapeText(last_name)};${escapeText(first_name)};;;`],
    ["ORG", escapeText(organization)],
    ["TITLE", escapeWhole(title)],
    ["TEL;TYPE=work,voice", escapeWhole(phone)],
    ["TEL;TYPE=cell", escapeWhole(mobile)],
    ["EMAIL", escapeWhole(email)],
    // A line break would begin another property.
    ["URL", url?.replace(/\s/g, encodeURIComponent)],
    ["ADR", hasAddress ? address.map(escapeText).join(";") : ""],
    ["NOTE", escapeWhole(note)],
    ["END", "VCARD"],
  ]);
}

/** The calendar requires an ID and a time stamp. Both follow from the event, so that equal events have equal codes. */
function encodeEvent({ title, start, end, location, description }: EventContent): string {
  const begin = formatMoment(start, 0);
  return formatLines([
    ["BEGIN", "VCALENDAR"],
    ["VERSION", "2.0"],
    ["PRODID", "-//Signpost//QR//EN"],
    ["BEGIN", "VEVENT"],
    ["UID", `${hashText(`${title}\n${start}\n${location ?? ""}`)}@signpost`],
    ["DTSTAMP", DATE_ONLY.test(start) ? `${begin.value}T000000Z` : begin.value],
    [`DTSTART${begin.parameter}`, begin.value],
    ...(end === undefined ? [] : [formatEnd(end)]),
    ["SUMMARY", escapeText(title)],
    ["LOCATION", escapeText(location)],
    ["DESCRIPTION", escapeText(description)],
    ["END", "VEVENT"],
    ["END", "VCALENDAR"],
  ]);
}

/** Formats the end. The end of whole days is the day after the last. */
function formatEnd(end: string): readonly [string, string] {
  const { parameter, value } = formatMoment(end, DAY_MS);
  return [`DTEND${parameter}`, value];
}

/** Formats a date, to which `addedMs` are added, or a time in UTC. */
function formatMoment(text: string, addedMs: number): { parameter: string; value: string } {
  const isDate = DATE_ONLY.test(text);
  const moment = new Date(Date.parse(text) + (isDate ? addedMs : 0)).toISOString();
  const digits = moment.replace(/[-:]|\.\d+/g, "");
  return isDate ? { parameter: ";VALUE=DATE", value: digits.slice(0, 8) } : { parameter: "", value: digits };
}

/** Joins lines of vCard and iCalendar. Lines aren't folded, because folding is optional and would enlarge the code. */
function formatLines(lines: readonly (readonly [name: string, value: string | undefined])[]): string {
  return lines.flatMap(([name, value]) => (value ? [`${name}:${value}\r\n`] : [])).join("");
}

/** Escapes a text value (RFC 6350 section 3.4, RFC 5545 section 3.3.11). */
function escapeText(text: string | undefined = ""): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
}

/** Escapes a value without components, in which programs may read an escaped semicolon literally (RFC 6350 section 3.4). */
function escapeWhole(text: string | undefined): string {
  return escapeText(text).replaceAll("\\;", ";");
}

/** Removes visual separators, and encodes what a URI can't contain. */
function cleanNumber(number: string): string {
  return number.replace(/[\s()./-]/g, "").replaceAll("#", "%23");
}

function formatUri(start: string, parameters: Record<string, string | undefined>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value ? [`${name}=${encodeURIComponent(value.replace(/\r\n|\r|\n/g, "\r\n"))}`] : [],
  );
  return given.length === 0 ? start : `${start}?${given.join("&")}`;
}

/** Formats degrees with at most seven decimals, a centimetre, and no exponent. */
function formatDegrees(degrees: number): string {
  return degrees
    .toFixed(7)
    .replace(/\.?0+$/, "")
    .replace(/^-0$/, "0");
}

/** Returns a short hash (FNV-1a). */
function hashText(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}
