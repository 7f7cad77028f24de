import * as z from "zod";
import { parseDateTime } from "../core/time.ts";
import "./validation.ts";

/** Fields that more than one resource has. */

/** ISO 8601 date-time with an offset or Z, read as milliseconds (decisions section 1). */
export const dateTime = z
  .string()
  .transform((text, context) => {
    const timeMs = parseDateTime(text);
    if (timeMs !== null) return timeMs;
    context.addIssue({ code: "custom", message: "must be an ISO 8601 date-time with an offset or Z" });
    return z.NEVER;
  })
  .meta({ format: "date-time", example: "2027-01-01T00:00:00Z" });

/** A timestamp in an answer. */
export const timestamp = z.iso.datetime().meta({ example: "2026-11-21T09:30:00.000Z" });

/** The id of a resource in an answer: a UUIDv7. */
export const id = z.uuid().meta({ example: "019aa5a8-5d2c-7c3b-9f6e-2b8f3c1d4e5f" });

/** Answer of every delete (decisions section 1). */
export const deletedResponse = z.object({ id, deleted: z.literal(true) }).meta({ id: "Deleted" });

/** Text of a resource that a person reads: trimmed of nothing, bounded in characters. */
export function boundedText(min: number, max: number): z.ZodString {
  return z.string().min(min).max(max);
}

const wholeNumber = z
  .string()
  .regex(/^-?\d{1,300}$/, { error: "must be a whole number" })
  .transform(Number);

/** A whole number in a query, between two bounds, with its default. */
export function queryInteger(minimum: number, maximum: number, fallback: number) {
  return wholeNumber
    .pipe(z.number().min(minimum).max(maximum))
    .default(fallback)
    .meta({ type: "integer", minimum, maximum, default: fallback });
}

/** `true` or `false` in a query. */
export const queryBoolean = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .meta({ type: "boolean" });

/** `limit` and `offset` of every list (contract section 8). */
export const pageQuery = {
  limit: queryInteger(1, 200, 50).describe("How many to answer with."),
  offset: queryInteger(0, Number.MAX_SAFE_INTEGER, 0).describe("How many to skip."),
};
