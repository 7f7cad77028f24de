// Pure: no I/O, clock or randomness.
import { readText, readTime } from "../json-fields.ts";
import type { ImportSource } from "./import-source.ts";

/**
 * Reads links from YOURLS: the response of its API's `stats` action
 * (https://yourls.org/docs/guide/advanced/api), where the links are members of an object, and its table `url` as
 * CSV or as an SQL dump. Times have no offset and are read as UTC.
 */
export const yourls: ImportSource = {
  name: "yourls",
  title: "YOURLS",
  formats: ["SQL", "JSON", "CSV"],
  howTo:
    "Export the table yourls_url with mysqldump or phpMyAdmin, or save the response of yourls-api.php?action=stats&format=json&filter=last&limit=50000 of your YOURLS server.",
  expected: "shorturl and url, or the columns keyword and url",
  isHeader: (keys) => keys.has("keyword") && keys.has("url"),
  readRecord: (link, cell) => [
    { ...link, slug: cell("keyword"), formerUrl: cell("shorturl"), needsSlug: true },
  ],
  isItem: (item) => typeof item.shorturl === "string" && typeof item.url === "string",
  readItem: (item, line) => [
    {
      line,
      url: readText(item, "url"),
      formerUrl: readText(item, "shorturl"),
      slug: readText(item, "keyword"),
      needsSlug: true,
      title: readText(item, "title"),
      createdAt: readTime(item, "timestamp"),
      scans: readText(item, "clicks"),
    },
  ],
};
