// Pure: no I/O, clock or randomness.
import punycode from "punycode/punycode.js";
import { isJsonObject, type JsonObject } from "../../../core/json-object.ts";
import type { ForeignLink } from "../foreign-link.ts";
import { readFlag, readObject, readText, readTexts, readTime } from "../json-fields.ts";
import { buildAppRules, buildCountryRules } from "./foreign-rules.ts";
import type { ImportSource } from "./import-source.ts";

/** Key of a domain's root link. */
const ROOT_KEY = "_root";

/**
 * Reads links from Dub: its API (https://dub.co/docs/api-reference/endpoint/retrieve-a-list-of-links) and the
 * CSV from its dashboard. Dub's rules are tried in the order iOS, Android, countries.
 */
export const dub: ImportSource = {
  name: "dub",
  title: "Dub",
  formats: ["CSV", "JSON"],
  howTo:
    "Save the pages of GET https://api.dub.co/links?showArchived=true, or export the links as CSV in Dub's dashboard with the columns Tags and Archived.",
  expected: "shortLink and url, or the columns Short link and Destination URL",
  isHeader: (keys) => keys.has("shortlink") && keys.has("destinationurl"),
  readRecord: (link, cell) => [
    {
      ...link,
      formerUrl: cell("shortlink"),
      slug: readKey(cell("shortlink").replace(/^(?:https?:\/\/)?[^/]*\/?/i, "")),
      labels: cell("tags").split(","),
      needsSlug: true,
    },
  ],
  isItem: (item) =>
    typeof item.shortLink === "string" || (typeof item.key === "string" && typeof item.domain === "string"),
  readItem: (item, line) => {
    const key = readText(item, "key");
    const link: ForeignLink = {
      line,
      url: readText(item, "url"),
      formerUrl: readText(item, "shortLink") || `${readText(item, "domain")}/${key === ROOT_KEY ? "" : key}`,
      slug: readKey(key),
      needsSlug: true,
      title: readText(item, "title"),
      note: readText(item, "comments"),
      labels: readTexts(item, "tags"),
      createdAt: readTime(item, "createdAt"),
      expiresAt: readTime(item, "expiresAt"),
      expiredUrl: readText(item, "expiredUrl"),
      archived: readFlag(item, "archived"),
      closed: readText(item, "disabledAt") === "" ? null : "is disabled at Dub",
      scans: readText(item, "clicks"),
      password: readText(item, "password"),
      preview: readPreview(item),
      rules: [
        ...buildAppRules(readText(item, "ios"), readText(item, "android")),
        ...buildCountryRules(readObject(item, "geo")),
      ],
      notes: listNotes(item),
    };
    return [addUtm(link, item)];
  },
};

/** Returns the text of a key. Dub stores letters outside ASCII in punycode (RFC 3492). */
function readKey(key: string): string {
  if (key === ROOT_KEY) return "";
  try {
    return punycode.toUnicode(key);
  } catch {
    // The key only looks like punycode.
    return key;
  }
}

function readPreview(item: JsonObject): ForeignLink["preview"] {
  if (!readFlag(item, "proxy")) return undefined;
  return {
    title: readText(item, "title"),
    description: readText(item, "description"),
    imageUrl: readText(item, "image"),
  };
}

function listNotes(item: JsonObject): string[] {
  const notes: string[] = [];
  if (readFlag(item, "rewrite")) notes.push("it showed its destination in a frame; here it redirects");
  if (Array.isArray(item.testVariants) && item.testVariants.some(isJsonObject))
    notes.push("its A/B test was left out");
  if (readText(item, "video") !== "") notes.push("the video of its preview was left out");
  return notes;
}

const UTM_NAMES = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];

/** Adds UTM parameters that are separate fields and not yet part of the destination. */
function addUtm(link: ForeignLink, item: JsonObject): ForeignLink {
  if (!URL.canParse(link.url)) return link;
  const url = new URL(link.url);
  const missing = UTM_NAMES.filter((name) => readText(item, name) !== "" && !url.searchParams.has(name));
  if (missing.length === 0) return link;
  for (const name of missing) url.searchParams.set(name, readText(item, name));
  return {
    ...link,
    url: url.href,
    notes: [...(link.notes ?? []), `added to the destination: ${missing.join(", ")}`],
  };
}
