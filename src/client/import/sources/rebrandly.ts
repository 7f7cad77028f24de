// Pure: no I/O, clock or randomness.
import { readFlag, readObject, readText, readTexts, readTime } from "../json-fields.ts";
import type { ImportSource } from "./import-source.ts";

/**
 * Reads links from Rebrandly: its API (https://developers.rebrandly.com/docs/link-entity) and the CSV from
 * its dashboard.
 */
export const rebrandly: ImportSource = {
  name: "rebrandly",
  title: "Rebrandly",
  formats: ["CSV", "JSON"],
  howTo:
    "Save the pages of GET https://api.rebrandly.com/v1/links?limit=25, or export the links as CSV in Rebrandly's dashboard.",
  expected: "slashtag and destination, or columns of these names",
  isHeader: (keys) => keys.has("slashtag") && (keys.has("destination") || keys.has("destinationurl")),
  readRecord: (link, cell) => {
    const domain = cell("domain", "brandeddomain", "domainfullname");
    const address =
      cell("shorturl", "shortlink", "link") || (domain === "" ? "" : `${domain}/${cell("slashtag")}`);
    return [{ ...link, formerUrl: address, slug: cell("slashtag"), needsSlug: true }];
  },
  isItem: (item) => typeof item.slashtag === "string" && typeof item.destination === "string",
  readItem: (item, line) => {
    const slug = readText(item, "slashtag");
    const status = readText(item, "status");
    return [
      {
        line,
        url: readText(item, "destination"),
        formerUrl:
          readText(item, "shortUrl") || `${readText(readObject(item, "domain"), "fullName")}/${slug}`,
        slug,
        needsSlug: true,
        title: readText(item, "title"),
        note: readText(item, "description"),
        labels: readTexts(item, "tags"),
        createdAt: readTime(item, "createdAt"),
        scans: readText(item, "clicks"),
        forwardQuery: readFlag(item, "forwardParameters"),
        closed:
          status === "" || status === "active" ? null : `has the status ${status.slice(0, 40)} at Rebrandly`,
      },
    ];
  },
};
