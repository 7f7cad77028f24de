import { createMiddleware } from "hono/factory";
import { readAtMost } from "../core/body.ts";
import { ApiError, invalid } from "../core/error.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import { fieldPath } from "./validation.ts";

/** Largest JSON body (decisions section 1). */
export const JSON_BODY_MAX_BYTES = 1_048_576;

/** What is read and dropped of a larger one: as much as Cloudflare lets through of any body. */
const DISCARDED_MAX_BYTES = 100 * JSON_BODY_MAX_BYTES;

/** Deeper nesting than any body of this API has a use for; it bounds the recursion of whatever reads it. */
const DEPTH_MAX = 64;

/**
 * Reads a JSON body and leaves its text for the validator: the right media type (415), no more than 1 MiB (413),
 * UTF-8, an object, no deeper than {@link DEPTH_MAX}, and no text that a database or a header would garble (400).
 */
export const jsonBody = createMiddleware<ApiEnv>(async (c, next) => {
  keepText(c, await readText(c.req.raw));
  await next();
});

/** {@link jsonBody} of an operation that needs none: no body is `{}`. */
export const optionalJsonBody = createMiddleware<ApiEnv>(async (c, next) => {
  const text = await readText(c.req.raw);
  if (text === "") c.req.bodyCache.text = Promise.resolve("{}") as unknown as string;
  else keepText(c, text);
  await next();
});

function keepText(c: ApiContext, text: string): void {
  if (text.trim() !== "") requireJsonMediaType(c.req.header("Content-Type"));
  checkJson(text);
  c.req.bodyCache.text = Promise.resolve(text) as unknown as string;
}

function requireJsonMediaType(contentType: string | undefined): void {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Content-Type: must be application/json");
  }
}

async function readText(request: Request): Promise<string> {
  const { bytes, isCut } = await readBytes(request);
  if (isCut) throw tooLarge();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw invalid({ field: "body", message: "must be valid UTF-8" });
  }
}

async function readBytes(request: Request): ReturnType<typeof readAtMost> {
  // What is declared too large is left unread, which the server in front of the Worker sees to.
  if (Number(request.headers.get("Content-Length")) > JSON_BODY_MAX_BYTES) throw tooLarge();
  try {
    return await readAtMost(request, JSON_BODY_MAX_BYTES, DISCARDED_MAX_BYTES);
  } catch {
    // The client went away, or broke HTTP's own rules for a body.
    throw invalid({ field: "body", message: "must arrive whole" });
  }
}

function tooLarge(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `body: must be at most ${JSON_BODY_MAX_BYTES} bytes`);
}

function checkJson(text: string): void {
  if (isTooDeep(text)) {
    throw invalid({ field: "body", message: `must be nested at most ${DEPTH_MAX} levels deep` });
  }
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalid({ field: "body", message: "must be a JSON object" });
  }
  checkMembers(value, []);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid({ field: "body", message: "must be valid JSON" });
  }
}

/** Whether brackets outside strings nest too deeply. A loop: neither recursion nor a pattern that could backtrack. */
function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') isInString = !isInString;
    else if (isInString && character === "\\") index++;
    else if (!isInString && (character === "[" || character === "{")) depth++;
    else if (!isInString && (character === "]" || character === "}")) depth--;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

/** Also refuses the one name that an object cannot be given a member of: it would silently be dropped later. */
function checkMembers(value: unknown, path: PropertyKey[]): void {
  if (typeof value === "string") checkText(value);
  else if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) checkMember(index, member, path);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key === "__proto__")
        throw invalid({ field: fieldPath([...path, key]), message: "is not a known field" });
      checkText(key);
      checkMember(key, member, path);
    }
  }
}

/** One path for all of them: a copy for each would take longer than the parsing. */
function checkMember(key: PropertyKey, member: unknown, path: PropertyKey[]): void {
  path.push(key);
  checkMembers(member, path);
  path.pop();
}

function checkText(text: string): void {
  if (text.isWellFormed() && !text.includes("\0")) return;
  throw invalid({ field: "body", message: "must not contain lone surrogates or null characters" });
}
