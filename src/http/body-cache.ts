import type { HonoRequest } from "hono";

/**
 * Access to the text of a JSON body in the body cache of a Hono request.
 *
 * A JSON body is parsed twice, and the cache carries its text from one reader to the next. First, `json-body.ts` checks
 * the raw text: its size, nesting depth and characters. Hono's validator checks none of these, and it parses the text
 * again, because Hono caches the text of a body but not the parsed value. Between the two, `idempotency.ts` hashes the
 * text: a retry must send exactly the same text, so a parsed value would not do.
 */

/** Stores the text of the body. `request.text()` and `request.json()` read it from there. */
export function writeBodyText(request: HonoRequest, text: string): void {
  // Hono declares this entry as a string, but stores a promise and calls `then` on it.
  request.bodyCache.text = Promise.resolve(text) as unknown as string;
}

/** Returns the text of {@link writeBodyText}, or an empty string if the operation does not read a JSON body. */
export async function readBodyText(request: HonoRequest): Promise<string> {
  const text: string | undefined = await request.bodyCache.text;
  return text ?? "";
}
