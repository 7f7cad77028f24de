// Pure: no I/O, clock or randomness.
import { findAliasProblem } from "../../routing/alias.ts";
import { readRequestPath } from "../../routing/request-path.ts";
import { isReservedSlug, mayBeShortCode } from "../../routing/short-code.ts";
import type { components } from "../schema.d.ts";
import { quote, RowError } from "./foreign-link.ts";

type NewLink = components["schemas"]["NewLink"];

/**
 * Returns the field of a link that keeps an old code working: `custom_slug` if the code can be a short code
 * here, otherwise `aliases`. Throws {@link RowError} for text that is no path.
 */
export function fitCode(code: string): Pick<NewLink, "custom_slug" | "aliases"> {
  if (mayBeShortCode(code) && !isReservedSlug(code)) return { custom_slug: code };
  const problem = findAliasProblem(code);
  if (problem !== null) throw new RowError(`the short code ${quote(code)} ${problem}`);
  return { aliases: [code] };
}

/** Returns the code of an old short URL, which is its path, or null if there is no path. */
export function readCode(formerUrl: string): string | null {
  return cleanCode(readRequestPath(new URL(formerUrl).pathname));
}

/** Returns a code as it is shown, or null if there is none. */
export function cleanCode(text: string): string | null {
  return (
    text
      .trim()
      .replace(/^\/+|\/+$/g, "")
      .normalize("NFC") || null
  );
}

/** Returns the old code that a link keeps working, or null if the link had none. */
export function getOldCode({ custom_slug, aliases }: NewLink): string | null {
  return custom_slug ?? aliases?.[0] ?? null;
}

/** Lists the texts that a short code owns: as it is shown, in lower case and in upper case. */
export function listForms(shortCode: string): string[] {
  return [shortCode, shortCode.toLowerCase(), shortCode.toUpperCase()];
}

/** Returns the URL of a code or alias on the host of another short URL. */
export function formatCodeUrl(code: string, shortUrl: string): string {
  return new URL(`/${code.split("/").map(encodeURIComponent).join("/")}`, shortUrl).href;
}
