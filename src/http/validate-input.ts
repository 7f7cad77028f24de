import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import type * as z from "zod";
import { createValidationError } from "../core/error.ts";
import type { ApiEnv } from "./context.ts";
import { describeUnknownNames, listProblems } from "./validation.ts";

/** Middleware that validates a request's path, query or JSON body with a schema. Throws `VALIDATION_ERROR`. */
export function validateInput(
  part: "param" | "query" | "body",
  schema: z.ZodObject,
): MiddlewareHandler<ApiEnv> {
  const options = part === "query" ? { error: describeQueryIssue } : {};
  return zValidator(
    part === "body" ? "json" : part,
    schema,
    (result) => {
      if (!result.success)
        throw createValidationError(...listProblems(result.error.issues as z.core.$ZodIssue[]));
    },
    { validationFunction: (_, value) => schema.safeParse(value, options) },
  ) as MiddlewareHandler<ApiEnv>;
}

/** Returns the message for an issue that needs other words in a query than in a body. */
function describeQueryIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") return describeUnknownNames(issue, "parameter");
  // Hono passes a repeated parameter as an array.
  return Array.isArray(issue.input) ? "must be sent only once" : undefined;
}
