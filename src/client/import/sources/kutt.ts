// Pure: no I/O, clock or randomness.
import type { JsonObject } from "../../../core/json-object.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from "../../../core/time.ts";
import type { ForeignLink } from "../foreign-link.ts";
import { readFlag, readText, readTime } from "../json-fields.ts";
import { parseMoment } from "../moments.ts";
import type { ImportSource } from "./import-source.ts";

/**
 * Reads links from Kutt's API (https://docs.kutt.it/#tag/links/paths/~1links/get). The API shows that a link
 * has a password, but not the password.
 */
export const kutt: ImportSource = {
  name: "kutt",
  title: "Kutt",
  formats: ["JSON"],
  howTo: "Save the pages of GET /api/v2/links?limit=50&skip=0 of your Kutt server.",
  expected: "target and address",
  isItem: (item) => typeof item.target === "string" && typeof item.address === "string",
  readItem: (item, line) => {
    const password = readText(item, "password");
    const hasPassword = readFlag(item, "password") || password !== "";
    const link: ForeignLink = {
      line,
      url: readText(item, "target"),
      formerUrl: readText(item, "link"),
      slug: readText(item, "address"),
      needsSlug: true,
      problem: readFlag(item, "banned") ? "is banned at Kutt" : null,
      note: readText(item, "description"),
      createdAt: readTime(item, "created_at"),
      scans: readText(item, "visit_count"),
      closed: hasPassword ? "has a password, which Kutt does not export" : null,
    };
    return [{ ...link, ...readExpiry(item) }];
  },
};

const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
  y: 365.25 * DAY_MS,
};
const DURATION =
  /^(\d{1,6}(?:\.\d{1,6})?)\s*(s|m|h|d|w|y)(?:ecs?|econds?|ins?|inutes?|rs?|ours?|ays?|eeks?|ears?)?$/i;

/** Reads the expiry: either a time, or a duration that counts from the link's creation. */
function readExpiry(item: JsonObject): Pick<ForeignLink, "expiresAt" | "notes"> {
  const text = readText(item, "expire_in");
  const [, count, unit = ""] = DURATION.exec(text) ?? [];
  if (count === undefined) return { expiresAt: text };
  const createdMs = parseMoment(readText(item, "created_at"));
  if (createdMs === null)
    return { notes: [`its expiry "${text}" is relative to an unknown creation time, so it was left out`] };
  const expiresMs = Math.floor(createdMs + Number(count) * (UNITS_MS[unit.toLowerCase()] ?? 0));
  return {
    expiresAt: expiresMs,
    notes: [`its expiry "${text}" is relative to its creation, so it expires at ${toIso(expiresMs)}`],
  };
}
