// Pure: no I/O, clock or randomness.
import {
  type ContentType,
  DATE_ONLY,
  isMoment,
  PHONE_NUMBER,
  type StructuredContent,
  WIFI_SECURITIES,
} from "./structured-content.ts";

/** Fields of contents as forms and the command line show them, and their conversion from typed text. */

export interface ContentField {
  name: string;
  label: string;
  isRequired?: true;
  kind?: "flag" | "degrees" | "moment" | "phone" | "multiline" | "secret";
  choices?: readonly string[];
}

const NUMBER: ContentField = { name: "number", label: "Phone number", isRequired: true, kind: "phone" };

export const CONTENT_FIELDS: Record<ContentType, readonly ContentField[]> = {
  wifi: [
    { name: "ssid", label: "Network name", isRequired: true },
    { name: "password", label: "Password", kind: "secret" },
    { name: "security", label: "Security", choices: WIFI_SECURITIES },
    { name: "hidden", label: "Hidden network", kind: "flag" },
  ],
  vcard: [
    { name: "first_name", label: "First name" },
    { name: "last_name", label: "Last name" },
    { name: "organization", label: "Organisation" },
    { name: "title", label: "Job title" },
    { name: "phone", label: "Phone", kind: "phone" },
    { name: "mobile", label: "Mobile", kind: "phone" },
    { name: "email", label: "Email address" },
    { name: "url", label: "Website" },
    { name: "street", label: "Street" },
    { name: "city", label: "City" },
    { name: "region", label: "Region" },
    { name: "postal_code", label: "Postal code" },
    { name: "country", label: "Country" },
    { name: "note", label: "Note", kind: "multiline" },
  ],
  email: [
    { name: "to", label: "Email address", isRequired: true },
    { name: "subject", label: "Subject" },
    { name: "body", label: "Message", kind: "multiline" },
  ],
  phone: [NUMBER],
  sms: [NUMBER, { name: "body", label: "Message", kind: "multiline" }],
  place: [
    { name: "latitude", label: "Latitude", isRequired: true, kind: "degrees" },
    { name: "longitude", label: "Longitude", isRequired: true, kind: "degrees" },
  ],
  event: [
    { name: "title", label: "Title", isRequired: true },
    { name: "start", label: "Start", isRequired: true, kind: "moment" },
    { name: "end", label: "End", kind: "moment" },
    { name: "location", label: "Location" },
    { name: "description", label: "Description", kind: "multiline" },
  ],
};

export const CONTENT_TYPES = Object.keys(CONTENT_FIELDS) as ContentType[];

/** Largest absolute degrees. */
const DEGREES_MAX: Record<string, number> = { latitude: 90, longitude: 180 };

/** Content read from typed text, or the first field that has a problem. */
export type ParsedContent =
  | { content: StructuredContent; problem: null }
  | { content: null; problem: { field: string; message: string } };

/** Converts typed values to a content. Empty values are left out. */
export function parseContent(type: ContentType, typed: Readonly<Record<string, string>>): ParsedContent {
  const values: Record<string, string | number | boolean> = {};
  for (const field of CONTENT_FIELDS[type]) {
    const text = typed[field.name]?.trim() ?? "";
    const message = text === "" ? (field.isRequired ? "is required" : null) : findProblem(field, text);
    if (message !== null) return { content: null, problem: { field: field.name, message } };
    if (text === "") continue;
    if (field.kind === "degrees") values[field.name] = Number(text);
    else if (field.kind === "flag") values[field.name] = isTrue(text);
    else values[field.name] = field.kind === "secret" ? (typed[field.name] ?? "") : text;
  }
  const content = { type, ...values } as StructuredContent;
  const problem = findContentProblem(content);
  return problem === null ? { content, problem: null } : { content: null, problem };
}

/** Returns the problem of fields that contradict each other, or null. */
export function findContentProblem(content: StructuredContent): { field: string; message: string } | null {
  if (content.type === "vcard") {
    const { first_name, last_name, organization } = content;
    return first_name || last_name || organization
      ? null
      : { field: "first_name", message: "is required, unless last_name or organization is set" };
  }
  if (content.type === "wifi") {
    const { security, password } = content;
    const isOpen = security === "nopass" || security === undefined;
    return isOpen || password ? null : { field: "password", message: `is required for ${security}` };
  }
  if (content.type !== "event" || content.end === undefined) return null;
  if (DATE_ONLY.test(content.start) !== DATE_ONLY.test(content.end))
    return { field: "end", message: "must be a date or a time like start" };
  return Date.parse(content.end) < Date.parse(content.start)
    ? { field: "end", message: "must not be before start" }
    : null;
}

function findProblem({ name, kind, choices }: ContentField, text: string): string | null {
  if (choices !== undefined && !choices.includes(text)) return `must be one of ${choices.join(", ")}`;
  if (kind === "phone" && !PHONE_NUMBER.test(text)) return "must be a phone number such as +44 20 7946 0000";
  if (kind === "degrees" && !(Math.abs(Number(text)) <= (DEGREES_MAX[name] ?? 0)))
    return `must be a number from -${DEGREES_MAX[name]} to ${DEGREES_MAX[name]}`;
  if (kind === "moment" && !isMoment(text))
    return "must be a date such as 2026-12-24, or a time such as 2026-12-24T18:00:00Z";
  return null;
}

function isTrue(text: string): boolean {
  return /^(?:true|yes|on|1)$/i.test(text);
}
