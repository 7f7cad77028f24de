// Pure: no I/O, clock or randomness.
import { parseAcceptLanguage } from "../core/accept-language.ts";
import { english } from "./texts/english.ts";
import type { VisitorTexts } from "./texts/visitor-texts.ts";

/**
 * Functions that load the texts of a language, by its primary subtag. They are loaded on demand, because most
 * isolates need only a few.
 */
const LOADERS = new Map<string, () => Promise<VisitorTexts>>([
  ["en", async () => english],
  ["de", async () => (await import("./texts/german.ts")).german],
  ["fr", async () => (await import("./texts/french.ts")).french],
  ["es", async () => (await import("./texts/spanish.ts")).spanish],
  ["pt", async () => (await import("./texts/portuguese.ts")).portuguese],
  ["it", async () => (await import("./texts/italian.ts")).italian],
  ["nl", async () => (await import("./texts/dutch.ts")).dutch],
  ["pl", async () => (await import("./texts/polish.ts")).polish],
  ["tr", async () => (await import("./texts/turkish.ts")).turkish],
  ["ar", async () => (await import("./texts/arabic.ts")).arabic],
  ["hi", async () => (await import("./texts/hindi.ts")).hindi],
  ["ja", async () => (await import("./texts/japanese.ts")).japanese],
  ["zh", async () => (await import("./texts/chinese.ts")).chinese],
]);

/** Primary subtags of the languages of visitors' pages. */
export const VISITOR_LANGUAGES: readonly string[] = [...LOADERS.keys()];

/** Returns the texts in the visitor's most preferred language that has any, otherwise in English. */
export async function loadVisitorTexts({ headers }: Pick<Request, "headers">): Promise<VisitorTexts> {
  const tags = parseAcceptLanguage(headers.get("Accept-Language") ?? "", 0);
  for (const tag of tags) {
    const load = LOADERS.get(tag.split("-", 1)[0] ?? "");
    if (load !== undefined) return load();
  }
  return english;
}
