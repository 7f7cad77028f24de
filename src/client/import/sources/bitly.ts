// Pure: no I/O, clock or randomness.
import { splitLabels } from "../cell-text.ts";
import type { ForeignLink } from "../foreign-link.ts";
import { readFlag, readText, readTexts, readTime } from "../json-fields.ts";
import type { ImportSource } from "./import-source.ts";

/** Matches short URLs on Bitly's own hosts. These URLs can't be moved to this service. */
const OWN_HOSTS = /^(?:https?:\/\/)?(?:www\.)?(?:bit\.ly|j\.mp|bitly\.com|bitly\.is)(?:\/|$)/i;
/** Creation time that Bitly returns for links whose creation time is unknown. */
const UNKNOWN_TIME = /^1970-01-01T00:00:00/;

/**
 * Reads links from Bitly: bitlinks from its API (https://dev.bitly.com/api-reference/#getBitlinksByGroup) and
 * the CSV from its dashboard. Each custom back-half (Bitly's name for a custom short code) becomes a link of
 * its own, because each may have been shared.
 */
export const bitly: ImportSource = {
  name: "bitly",
  title: "Bitly",
  formats: ["CSV", "JSON"],
  howTo:
    "Export the links as CSV in Bitly's dashboard, or save the pages of GET /v4/groups/{group_guid}/bitlinks?archived=both&size=100.",
  expected: "long_url and link, or the columns Long URL and Bitlink",
  isHeader: (keys) =>
    keys.has("longurl") &&
    ["bitlink", "link", "custombitlinks", "custombackhalf"].some((key) => keys.has(key)),
  readRecord: (link, cell) =>
    expandBackHalves(
      { ...link, formerUrl: cell("bitlink", "link", "shorturl"), slug: null, needsSlug: true },
      splitLabels(
        cell("custombitlinks", "custombitlink", "custombackhalf", "custombackhalves", "customlink"),
      ),
    ),
  isItem: (item) => typeof item.long_url === "string",
  readItem: (item, line) => {
    const createdAt = readTime(item, "created_at");
    const link: ForeignLink = {
      line,
      url: readText(item, "long_url"),
      formerUrl: readText(item, "link", "id"),
      needsSlug: true,
      title: readText(item, "title"),
      labels: readTexts(item, "tags"),
      createdAt: createdAt !== null && UNKNOWN_TIME.test(createdAt) ? null : createdAt,
      expiresAt: readTime(item, "expiration_at"),
      archived: readFlag(item, "archived"),
      problem: readFlag(item, "is_deleted") ? "is deleted at Bitly" : null,
      scans: readText(item, "clicks", "link_clicks", "total_clicks"),
      notes:
        Array.isArray(item.deeplinks) && item.deeplinks.length > 0 ? ["its app links were left out"] : [],
    };
    return expandBackHalves(link, readTexts(item, "custom_bitlinks"));
  },
};

/**
 * Returns a link for each custom back-half, and a link for the generated back-half. The first link keeps the
 * scan count. If there are custom back-halves, a generated back-half on Bitly's own host is left out.
 */
function expandBackHalves(link: ForeignLink, given: readonly string[]): ForeignLink[] {
  const generated = link.formerUrl ?? "";
  const host = generated.replace(/^https?:\/\//i, "").split("/", 1)[0] ?? "";
  const custom = given
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .map((text) => (text.includes("/") ? text : `${host}/${text}`))
    .filter((address) => toBare(address) !== toBare(generated));
  const [first] = custom;
  if (first === undefined) return [link];
  const notes = [...(link.notes ?? [])];
  if (OWN_HOSTS.test(generated)) {
    notes.push(
      `${generated} also redirects there and stays at Bitly; only the custom back-half was imported`,
    );
  }
  const others = OWN_HOSTS.test(generated) ? custom.slice(1) : [...custom.slice(1), generated];
  const note = `it is another back-half of ${first}, which keeps the scan count`;
  return [
    { ...link, formerUrl: first, notes },
    ...others.map((formerUrl) => ({ ...link, formerUrl, scans: null, notes: [...(link.notes ?? []), note] })),
  ];
}

function toBare(address: string): string {
  return address.replace(/^https?:\/\//i, "").toLowerCase();
}
