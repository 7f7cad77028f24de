import fc from "fast-check";
import { anyUrl } from "./arbitrary-texts.ts";

/** Generators of links that the service accepts, with texts that a format could misread. */

const fragileText = fc.constantFrom(
  ...[
    "yes",
    "null",
    "~",
    "3",
    "1e3",
    "0x1f",
    ".inf",
    "- a",
    "a: b",
    "a #b",
    "#",
    "&a",
    "*a",
    "!a",
    "|",
    ">",
    "%",
  ],
  ...[
    "'",
    '"',
    "''a",
    "{a}",
    "[a]",
    "? a",
    "a,b",
    "@",
    "`",
    "---",
    "...",
    "=",
    "<<",
    "2026-11-21",
    "true",
    "0o7",
  ],
  ...["ünï", "👩‍👩‍👧", "\u202e", "\ufeff", "a\u2028b", " a", "a ", "a  b", "\\n", "é".repeat(80)],
);
const line = fc.oneof(fragileText, fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }));
/** Text of one line, without control characters. */
const oneLine = line.filter((text) => !/\p{Cc}/u.test(text));
/** Text with at least one other character than white space, and none at its start or end. */
const trimmed = oneLine
  .map((text) => text.trim().slice(0, 60))
  .filter((text) => text.trim() === text && text !== "");
const note = fc
  .array(fc.oneof(line, fc.constantFrom("", " ", "\t", "\r", "\u0085", "    indented")), {
    minLength: 1,
    maxLength: 4,
  })
  .chain((lines) => fc.constantFrom("\n", "\r\n", "").map((gap) => lines.join(gap)))
  .filter((text) => text !== "");
const url = fc.oneof(
  anyUrl(),
  fc.constantFrom("https://example.com/?a=b#c", "https://example.com/#", "HTTPS://example.com/%20'\"`"),
);
const moment = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2099-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const past = fc
  .date({ min: new Date("2000-01-01"), max: new Date("2026-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const some = <Value>(value: fc.Arbitrary<Value>) => fc.array(value, { minLength: 1, maxLength: 3 });

const when = fc
  .record(
    {
      country: some(fc.constantFrom("CA", "us", "NO", "de")),
      os: some(fc.constantFrom("ios", "android")),
      language: some(fc.constantFrom("fr", "fr-CA", "no", "EN-us")),
      query: fc.dictionary(
        oneLine.filter((key) => key !== "__proto__"),
        fc.oneof(fc.constant(true as const), some(line)),
        {
          minKeys: 1,
          maxKeys: 2,
        },
      ),
      after: moment,
      percent: fc.integer({ min: 1, max: 99 }),
    },
    { requiredKeys: [] },
  )
  .filter((conditions) => Object.keys(conditions).length > 0);
const name = { name: oneLine.map((text) => text.slice(0, 60)) };
const rule = fc.oneof(
  fc.record({ ...name, when, destination: url }, { requiredKeys: ["when", "destination"] }),
  fc.record({ ...name, when, block: fc.constant(true as const) }, { requiredKeys: ["when", "block"] }),
  fc.record(
    { ...name, when, split: fc.tuple(url).map(([destination]) => [{ destination, percent: 40 }]) },
    { requiredKeys: ["split"] },
  ),
);

/** Bodies of creations, with a short code. */
export const newLinkBody = fc
  .record(
    {
      custom_slug: fc.stringMatching(/^[A-Za-z0-9-]{4,12}$/),
      url,
      title: oneLine,
      note,
      labels: fc.array(trimmed, { maxLength: 4 }),
      archived: fc.boolean(),
      routing_rules: fc.uniqueArray(rule, { maxLength: 3, selector: ({ when }) => JSON.stringify(when) }),
      starts_at: moment,
      early_url: url,
      expires_at: moment,
      expired_url: url,
      max_scans: fc.integer({ min: 1, max: 1_000_000 }),
      preview: fc.record({
        title: trimmed,
        description: fc.option(trimmed),
        image_url: fc.option(anyUrl(["https"])),
      }),
      forward_query: fc.boolean(),
      confirm: fc.boolean(),
      imported_scans: fc.nat(),
      external_id: fc.uuid().map((id) => `${id}: #1`),
      aliases: fc
        .tuple(fc.uuid(), fragileText)
        .map(([id, text]) => [`_/${id}`, `${id}${text}x`.normalize("NFC")]),
      created_at: past,
    },
    { requiredKeys: ["custom_slug", "url"] },
  )
  .filter(
    ({ custom_slug }) =>
      !["admin", "login", "assets", "static", "healthz"].includes(custom_slug.toLowerCase()),
  );
