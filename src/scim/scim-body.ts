import { readAtMost } from "../core/body.ts";
import { isTooDeep, JSON_DEPTH_MAX } from "../core/json-depth.ts";
import { findJsonProblem } from "../core/json-problem.ts";
import { createInputError, ScimError } from "./scim-error.ts";

/** Maximum size of a request body. A group with a thousand members needs a quarter of it. */
export const SCIM_BODY_MAX_BYTES = 262_144;
const DISCARDED_MAX_BYTES = 100 * 1_048_576;
const MEDIA_TYPES = ["application/scim+json", "application/json"];

/**
 * Reads a request body as a JSON object. Throws 415, 413, or 400 `invalidSyntax`. Reads larger bodies to
 * their end, because a client that is still sending may never receive the response.
 */
export async function readScimBody(request: Request): Promise<Record<string, unknown>> {
  const text = await readText(request);
  const mediaType = request.headers.get("Content-Type")?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (!MEDIA_TYPES.includes(mediaType)) {
    throw new ScimError(415, null, `Content-Type must be ${MEDIA_TYPES.join(" or ")}.`);
  }
  return parseObject(text);
}

function parseObject(text: string): Record<string, unknown> {
  if (isTooDeep(text)) throw createSyntaxError(`must be nested at most ${JSON_DEPTH_MAX} levels deep`);
  const problem = findJsonProblem(text);
  if (problem !== null) {
    throw createSyntaxError(
      `is not JSON (line ${problem.line}, column ${problem.column}: ${problem.message})`,
    );
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw createSyntaxError("must be a JSON object");
  }
  return value as Record<string, unknown>;
}

function createSyntaxError(problem: string): ScimError {
  return createInputError("invalidSyntax", `The body ${problem}.`);
}

async function readText(request: Request): Promise<string> {
  const { bytes, isCut } = await readBytes(request);
  if (isCut) throw new ScimError(413, null, `The body must have at most ${SCIM_BODY_MAX_BYTES} bytes.`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    throw createInputError("invalidSyntax", "The body must be UTF-8.");
  }
}

async function readBytes(request: Request): ReturnType<typeof readAtMost> {
  try {
    return await readAtMost(request, SCIM_BODY_MAX_BYTES, DISCARDED_MAX_BYTES);
  } catch {
    // The client has closed the connection.
    throw createInputError("invalidSyntax", "The body must be complete.");
  }
}
