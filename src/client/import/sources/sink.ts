// Pure: no I/O, clock or randomness.
import type { JsonObject } from "../../../core/json-object.ts";
import { SECOND_MS } from "../../../core/time.ts";
import type { ForeignLink } from "../foreign-link.ts";
import { readFlag, readObject, readText, readTexts } from "../json-fields.ts";
import { buildAppRules, buildCountryRules } from "./foreign-rules.ts";
import type { ImportSource } from "./import-source.ts";

const HASH_PREFIX = "sink-pwd:";
const MASK_PREFIX = "__SINK_MASKED__";

/**
 * Reads links from Sink: the pages of its export (https://github.com/miantiao-me/Sink,
 * `shared/schemas/link.ts`). Times are Unix seconds. A destination for a device takes precedence over a
 * destination for a country.
 */
export const sink: ImportSource = {
  name: "sink",
  title: "Sink",
  formats: ["JSON"],
  howTo: "Export the links in Sink's dashboard, or save the pages of GET /api/link/export.",
  expected: "slug and url",
  isItem: (item) => typeof item.slug === "string" && typeof item.url === "string",
  readItem: (item, line) => [
    {
      line,
      url: readText(item, "url"),
      slug: readText(item, "slug"),
      needsSlug: true,
      title: readText(item, "title"),
      note: readText(item, "comment"),
      labels: readTexts(item, "tags"),
      createdAt: readSeconds(item, "createdAt"),
      expiresAt: readSeconds(item, "expiration"),
      forwardQuery: readFlag(item, "redirectWithQuery"),
      preview: readPreview(item),
      rules: [
        ...buildAppRules(readText(item, "apple"), readText(item, "google")).reverse(),
        ...buildCountryRules(readObject(item, "geo")),
      ],
      ...readPassword(readText(item, "password")),
      notes: [
        ...(readFlag(item, "cloaking") ? ["it showed its destination in a frame; here it redirects"] : []),
        ...(readFlag(item, "unsafe")
          ? ["it showed a warning before redirecting, which is not supported here"]
          : []),
      ],
    },
  ],
};

/** Converts a number of Unix seconds to milliseconds. Returns text unchanged. */
function readSeconds(item: JsonObject, name: string): string | number | null {
  const value = item[name];
  return typeof value === "number" ? value * SECOND_MS : readText(item, name) || null;
}

/** Returns the preview if it contains more than a title, which every link has. */
function readPreview(item: JsonObject): ForeignLink["preview"] {
  const description = readText(item, "description");
  const imageUrl = readText(item, "image");
  if (description === "" && imageUrl === "") return undefined;
  return { title: readText(item, "title"), description, imageUrl };
}

/** Reads the password: a hash in exports, plain text in old exports, or a mask in data from the dashboard. */
function readPassword(text: string): Pick<ForeignLink, "password" | "passwordHash" | "closed"> {
  if (text.startsWith(MASK_PREFIX)) return { closed: "has a password, which the file does not contain" };
  return text.startsWith(HASH_PREFIX) ? { passwordHash: text } : { password: text };
}
