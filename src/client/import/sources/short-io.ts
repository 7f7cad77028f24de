// Pure: no I/O, clock or randomness.
import { readFlag, readText, readTexts, readTime } from "../json-fields.ts";
import { buildAppRules } from "./foreign-rules.ts";
import type { ImportSource } from "./import-source.ts";

/**
 * Reads links from Short.io: its API (https://developers.short.io/reference/get_api-links) and the CSV from
 * its dashboard. A link without a path belongs to the domain's root.
 */
export const shortIo: ImportSource = {
  name: "short-io",
  title: "Short.io",
  formats: ["CSV", "JSON"],
  howTo:
    "Save the pages of GET https://api.short.io/api/links?domain_id={id}&limit=150, or export the links of a domain as CSV in Short.io's dashboard.",
  expected: "originalURL and path, or columns of these names",
  isHeader: (keys) =>
    keys.has("originalurl") && ["path", "shorturl", "secureshorturl"].some((key) => keys.has(key)),
  readRecord: (link, cell) => [
    {
      ...link,
      formerUrl: cell("secureshorturl", "shorturl", "shortlink"),
      slug: cell("path", "slug"),
      needsSlug: true,
      rules: buildAppRules(cell("iphoneurl", "iosurl"), cell("androidurl")),
    },
  ],
  isItem: (item) => typeof item.originalURL === "string",
  readItem: (item, line) => [
    {
      line,
      url: readText(item, "originalURL"),
      formerUrl: readText(item, "secureShortURL", "shortURL"),
      slug: readText(item, "path"),
      needsSlug: true,
      title: readText(item, "title"),
      labels: readTexts(item, "tags"),
      createdAt: readTime(item, "createdAt"),
      expiresAt: readTime(item, "expiresAt"),
      expiredUrl: readText(item, "expiredURL"),
      archived: readFlag(item, "archived"),
      maxScans: readText(item, "clicksLimit"),
      scans: readText(item, "clicks", "clickCount", "totalClicks"),
      password: readText(item, "password"),
      closed:
        readFlag(item, "hasPassword") && readText(item, "password") === ""
          ? "has a password, which the file does not contain"
          : null,
      rules: buildAppRules(readText(item, "iphoneURL"), readText(item, "androidURL")),
      notes: [
        ...(readFlag(item, "cloaking") ? ["it showed its destination in a frame; here it redirects"] : []),
        ...(readText(item, "splitURL") === "" ? [] : ["the second destination of its A/B test was left out"]),
      ],
    },
  ],
};
