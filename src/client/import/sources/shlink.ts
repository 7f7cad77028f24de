// Pure: no I/O, clock or randomness.
import type { JsonObject } from "../../../core/json-object.ts";
import type { ForeignLink } from "../foreign-link.ts";
import { readFlag, readObject, readText, readTexts, readTime } from "../json-fields.ts";
import type { ImportSource } from "./import-source.ts";
import { readShlinkRules } from "./shlink-rules.ts";

/**
 * Reads links from Shlink: its API (https://api-spec.shlink.io/) and the CSV from its web client. A link's
 * rules are expected in the field `redirectRules`, in the form of the API's response for the rules.
 */
export const shlink: ImportSource = {
  name: "shlink",
  title: "Shlink",
  formats: ["JSON", "CSV"],
  howTo:
    "Save the pages of GET /rest/v3/short-urls?itemsPerPage=1000 of your Shlink server, with each link's GET /rest/v3/short-urls/{shortCode}/redirect-rules in its field redirectRules; or export a CSV file in its web client, which does not contain rules and limits.",
  expected: "shortCode and longUrl, or columns of these names",
  isHeader: (keys) => keys.has("shortcode") && keys.has("longurl"),
  readRecord: (link, cell) => [
    { ...link, slug: cell("shortcode"), formerUrl: cell("shorturl"), needsSlug: true },
  ],
  isItem: (item) => typeof item.shortCode === "string" && typeof item.longUrl === "string",
  readItem: (item, line) => {
    const meta = readObject(item, "meta");
    const { rules, notes } = readShlinkRules(item);
    const link: ForeignLink = {
      line,
      url: readText(item, "longUrl"),
      formerUrl: readText(item, "shortUrl"),
      slug: readText(item, "shortCode"),
      needsSlug: true,
      title: readText(item, "title"),
      labels: readTexts(item, "tags"),
      createdAt: readTime(item, "dateCreated"),
      startsAt: readTime(meta, "validSince"),
      expiresAt: readTime(meta, "validUntil"),
      maxScans: readText(meta, "maxVisits"),
      scans: readText(readObject(item, "visitsSummary"), "total") || readText(item, "visitsCount"),
      forwardQuery: readFlag(item, "forwardQuery"),
      rules,
      notes: [...notes, ...listNotes(item)],
    };
    return [link];
  },
};

function listNotes(item: JsonObject): string[] {
  return readFlag(item, "crawlable") ? ["it allowed crawling at Shlink, which is not supported here"] : [];
}
