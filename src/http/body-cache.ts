import type { HonoRequest } from "hono";

/**
 * Stores the text of a JSON body in the body cache of a Hono request.
 *
 * A JSON body is parsed twice, and the cache passes its text between the readers. First, `json-body.ts`
 * checks the raw text: size, nesting depth and characters. Hono's validator checks none of these, and parses
 * the text again, because Hono caches a body's text but not the parsed value. In between, `idempotency.ts`
 * hashes the text. It can't use a parsed value, because a retry must send exactly the same text.
 */

/** Stores the text of a body for later calls of `request.text()` and `request.json()`. */
export function writeBodyText(request: HonoRequest, text: string): void {
  // Hono declares this entry as a string, but stores a promise and calls `then` on it.
  request.bodyCache.text = Promise.resolve(text) as unknown as string;
}

/** Returns the text stored by {@link writeBodyText}, or an empty string if the operation has no JSON body. */
export async function readBodyText(request: HonoRequest): Promise<string> {
  const text: string | undefined = await request.bodyCache.text;
  return text ?? "";
}
