import * as z from "zod";
import { parseDateTime } from "../core/time.ts";
import "./validation.ts";

/** Schemas of fields that several resources share. */

/** Date-time in a request: ISO 8601 with an offset or Z, parsed to Unix milliseconds. */
export const dateTime = z
  .string()
  .transform((text, context) => {
    const timeMs = parseDateTime(text);
    if (timeMs !== null) return timeMs;
    context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time with an offset or Z" });
    return z.NEVER;
  })
  .meta({ format: "date-time", example: "2027-01-01T00:00:00Z" });

/** Creation time used in examples. */
export const EXAMPLE_CREATED_AT = "2026-11-21T09:30:00.000Z";

/** Resource id used in examples: a UUIDv7 with the time {@link EXAMPLE_CREATED_AT}. */
export const EXAMPLE_ID = "01a1fd70-f1c0-7c3b-9f6e-2b8f3c1d4e5f";

/** Request id used in examples. */
export const EXAMPLE_REQUEST_ID = "01a20e4d-a7e0-7d19-8c4e-90a5b6c7d8e9";

/** Timestamp in a response. The example is the creation time. */
export const timestamp = z.iso.datetime().meta({ example: EXAMPLE_CREATED_AT });

/** Timestamp in a response, with an example after the creation time. */
export const laterTimestamp = timestamp.meta({ example: "2026-11-24T16:05:00.000Z" });

/** Resource id in a response: a UUIDv7. */
export const id = z.uuid().meta({ example: EXAMPLE_ID });

/** Request id in a response: a UUIDv7. */
export const requestId = z.uuid().meta({ example: EXAMPLE_REQUEST_ID });

/** Response data of all DELETE operations. */
export const deletedResponse = z.object({ id, deleted: z.literal(true) }).meta({ id: "Deleted" });

/** Returns the schema of a string with a minimum and maximum length. Doesn't trim. */
export function boundedText(min: number, max: number): z.ZodString {
  return z.string().min(min).max(max);
}

const wholeNumber = z
  .string()
  .regex(/^-?\d{1,300}$/, { error: "must be a whole number" })
  .transform(Number);

/** Returns the schema of a whole-number query parameter with bounds and a default. */
export function queryInteger(minimum: number, maximum: number, fallback: number) {
  return wholeNumber
    .pipe(z.number().min(minimum).max(maximum))
    .default(fallback)
    .meta({ type: "integer", minimum, maximum, default: fallback });
}

/** Returns the schema of an optional whole-number query parameter with bounds. */
export function optionalQueryInteger(minimum: number, maximum: number) {
  return wholeNumber
    .pipe(z.number().min(minimum).max(maximum))
    .optional()
    .meta({ type: "integer", minimum, maximum });
}

const decimalNumber = z
  .string()
  .regex(/^-?\d{1,300}(?:\.\d{1,300})?$/, { error: "must be a number" })
  .transform(Number);

/** Returns the schema of an optional decimal query parameter with bounds. */
export function optionalQueryNumber(minimum: number, maximum: number) {
  return decimalNumber
    .pipe(z.number().min(minimum).max(maximum))
    .optional()
    .meta({ type: "number", minimum, maximum });
}

/** Query parameter that is `true` or `false`. */
export const queryBoolean = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ type: "boolean" });

/** Maximum `offset`. The database reads skipped items too, so longer lists must use `before`. */
const OFFSET_MAX = 1_000;

const shallowOffset = wholeNumber
  .pipe(
    z
      .number()
      .min(0)
      .max(OFFSET_MAX, { error: `must be at most ${OFFSET_MAX}; use \`before\` to go further` }),
  )
  .default(0)
  .meta({ type: "integer", minimum: 0, maximum: OFFSET_MAX, default: 0 });

/**
 * Query parameters of lists with cursors. With `before`, all pages cost the same, however far down the list.
 */
export const cursorQuery = {
  limit: queryInteger(1, 200, 50).describe("Number of items to return."),
  offset: shallowOffset.describe("Number of items to skip. Use `before` for longer lists."),
  before: z
    .uuid({ error: "must be a UUID" })
    .toLowerCase()
    .optional()
    .describe("Returns only items older than the item with this ID, which may be deleted.")
    .meta({ example: EXAMPLE_ID }),
};
