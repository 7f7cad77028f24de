import { createMiddleware } from "hono/factory";
import { readAtMost } from "../core/body.ts";
import { formatBytes } from "../core/byte-size.ts";
import { ApiError, createValidationError } from "../core/error.ts";
import { isTooDeep, JSON_DEPTH_MAX } from "../core/json-depth.ts";
import { isJsonObject } from "../core/json-object.ts";
import { findJsonProblem } from "../core/json-problem.ts";
import { writeBodyText } from "./body-cache.ts";
import type { ApiContext, ApiEnv } from "./context.ts";
import { formatFieldPath } from "./validation.ts";

export const JSON_BODY_MAX_BYTES = 1_048_576;

/**
 * Maximum number of bytes of an oversized body that are read and dropped. About the largest request body that
 * Cloudflare accepts (https://developers.cloudflare.com/workers/platform/limits/).
 */
const DISCARDED_MAX_BYTES = 100 * JSON_BODY_MAX_BYTES;

/**
 * Reads and checks a JSON body, and stores its text for the validator. Throws 415 for another media type, 413
 * for more than 1 MiB, and 400 for text that isn't UTF-8, isn't a JSON object, is nested deeper than
 * {@link JSON_DEPTH_MAX}, or has characters that databases and headers can't store unchanged.
 */
export const readJsonBody = createMiddleware<ApiEnv>(async (c, next) => {
  storeBody(c, await readText(c.req.raw));
  await next();
});

/** Like {@link readJsonBody}, but treats an empty body as `{}`. */
export const readOptionalJsonBody = createMiddleware<ApiEnv>(async (c, next) => {
  const text = await readText(c.req.raw);
  if (text === "") writeBodyText(c.req, "{}");
  else storeBody(c, text);
  await next();
});

/** Reads a JSON value of any type, with the other checks of {@link readJsonBody}. */
export async function readJson(c: ApiContext): Promise<unknown> {
  const value = parseBody(c, await readText(c.req.raw));
  checkMembers(value, []);
  return value;
}

function storeBody(c: ApiContext, text: string): void {
  const value = parseBody(c, text);
  if (!isJsonObject(value)) throw createValidationError({ field: "body", message: "must be a JSON object" });
  checkMembers(value, []);
  writeBodyText(c.req, text);
}

function requireJsonMediaType(contentType: string | undefined): void {
  const mediaType = contentType?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/json") {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", "Content-Type: must be application/json");
  }
}

async function readText(request: Request): Promise<string> {
  const { bytes, isCut } = await readBytes(request);
  if (isCut) throw createTooLargeError();
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw createValidationError({ field: "body", message: "must be valid UTF-8" });
  }
}

async function readBytes(request: Request): ReturnType<typeof readAtMost> {
  // Doesn't read a body that declares a larger size. The HTTP server in front of the Worker drops such a
  // body.
  if (Number(request.headers.get("Content-Length")) > JSON_BODY_MAX_BYTES) throw createTooLargeError();
  try {
    return await readAtMost(request, JSON_BODY_MAX_BYTES, DISCARDED_MAX_BYTES);
  } catch {
    // The client has closed the connection or violated HTTP framing.
    throw createValidationError({ field: "body", message: "must be complete" });
  }
}

function createTooLargeError(): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", `body: must be at most ${formatBytes(JSON_BODY_MAX_BYTES)}`);
}

function parseBody(c: ApiContext, text: string): unknown {
  if (text.trim() !== "") requireJsonMediaType(c.req.header("Content-Type"));
  if (isTooDeep(text)) {
    throw createValidationError({
      field: "body",
      message: `must be nested at most ${JSON_DEPTH_MAX} levels deep`,
    });
  }
  return parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw createValidationError({ field: "body", message: `must be valid JSON${describeJsonProblem(text)}` });
  }
}

/** Describes a syntax error and its position in parentheses, with a leading space. */
function describeJsonProblem(text: string): string {
  if (text.trim() === "") return " (it is empty)";
  const problem = findJsonProblem(text);
  return problem === null ? "" : ` (line ${problem.line}, column ${problem.column}: ${problem.message})`;
}

/**
 * Checks all strings and member names. Rejects the name `__proto__`, because code that copies the object
 * later would silently drop this member.
 */
function checkMembers(value: unknown, path: PropertyKey[]): void {
  if (typeof value === "string") checkText(value);
  else if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) checkMember(index, member, path);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (key === "__proto__")
        throw createValidationError({
          field: formatFieldPath([...path, key]),
          message: "is not a known field",
        });
      checkText(key);
      checkMember(key, member, path);
    }
  }
}

/**
 * Checks one member. All members share one path array, because copying it costs more than parsing the JSON.
 */
function checkMember(key: PropertyKey, member: unknown, path: PropertyKey[]): void {
  path.push(key);
  checkMembers(member, path);
  path.pop();
}

function checkText(text: string): void {
  if (text.isWellFormed() && !text.includes("\0")) return;
  throw createValidationError({
    field: "body",
    message: "must not contain lone surrogates or null characters",
  });
}
