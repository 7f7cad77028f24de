import * as z from "zod";
import { boundedText } from "../http/fields.ts";
import { CONTENT_TYPES, findContentProblem } from "./content-fields.ts";
import { isMoment, PHONE_NUMBER, WIFI_SECURITIES } from "./structured-content.ts";

const SHORT_MAX_LENGTH = 200;
const LONG_MAX_LENGTH = 1_000;

const short = boundedText(1, SHORT_MAX_LENGTH);
const long = boundedText(1, LONG_MAX_LENGTH);
const phone = z
  .string()
  .regex(PHONE_NUMBER, { error: "must be a phone number such as +44 20 7946 0000" })
  .meta({ example: "+44 20 7946 0000" });
const moment = z
  .string()
  .refine(isMoment, { error: "must be a date, or a time with an offset" })
  .meta({ example: "2026-12-24T18:00:00Z" });

const wifi = z
  .strictObject({
    type: z.literal("wifi"),
    ssid: short.describe("Name of the network."),
    password: short.optional(),
    security: z
      .enum(WIFI_SECURITIES)
      .optional()
      .describe("`WPA` includes WPA2 and WPA3. Default: `WPA` with a password, otherwise `nopass`."),
    hidden: z.boolean().optional().describe("True if the network doesn't announce its name."),
  })
  .meta({ id: "WifiContent", example: { type: "wifi", ssid: "Guests", password: "welcome" } });

const vcard = z
  .strictObject({
    type: z.literal("vcard"),
    first_name: short.optional(),
    last_name: short.optional(),
    organization: short.optional(),
    title: short.optional().describe("Position in the organisation."),
    phone: phone.optional(),
    mobile: phone.optional(),
    email: short.optional(),
    url: short.optional(),
    street: short.optional(),
    city: short.optional(),
    region: short.optional(),
    postal_code: short.optional(),
    country: short.optional(),
    note: long.optional(),
  })
  .describe("Contact as a vCard 4.0 (RFC 6350), with a name or an organisation.")
  .meta({ id: "VcardContent", example: { type: "vcard", first_name: "Ada", last_name: "Lovelace" } });

const email = z
  .strictObject({
    type: z.literal("email"),
    to: short,
    subject: short.optional(),
    body: long.optional(),
  })
  .describe("Email to send, as a mailto URI (RFC 6068).")
  .meta({ id: "EmailContent", example: { type: "email", to: "ada@example.com", subject: "Hello" } });

const call = z
  .strictObject({ type: z.literal("phone"), number: phone })
  .describe("Number to call, as a tel URI (RFC 3966).")
  .meta({ id: "PhoneContent" });

const sms = z
  .strictObject({ type: z.literal("sms"), number: phone, body: long.optional() })
  .describe("Text message to send, as an sms URI (RFC 5724).")
  .meta({ id: "SmsContent" });

const place = z
  .strictObject({
    type: z.literal("place"),
    latitude: z.number().min(-90).max(90).meta({ example: 48.2083 }),
    longitude: z.number().min(-180).max(180).meta({ example: 16.3731 }),
  })
  .describe("Place on the map, as a geo URI (RFC 5870).")
  .meta({ id: "PlaceContent" });

const event = z
  .strictObject({
    type: z.literal("event"),
    title: short,
    start: moment.describe("A date, for whole days, or a time with its offset."),
    end: moment
      .optional()
      .describe("End, in the format of `start`. If the event lasts whole days, its last day."),
    location: short.optional(),
    description: long.optional(),
  })
  .describe("Calendar event (RFC 5545).")
  .meta({ id: "EventContent", example: { type: "event", title: "Opening", start: "2026-12-24T18:00:00Z" } });

/** Schema of a content that phones understand. */
export const structuredContent = z
  .discriminatedUnion("type", [wifi, vcard, email, call, sms, place, event], {
    error: `must be one of ${CONTENT_TYPES.join(", ")}`,
  })
  .superRefine((content, context) => {
    const problem = findContentProblem(content);
    if (problem !== null)
      context.addIssue({ code: "custom", path: [problem.field], message: problem.message });
  });
