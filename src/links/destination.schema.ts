import * as z from "zod";
import { findDestinationProblem } from "./destination-problem.ts";
import { URL_MAX_LENGTH } from "./link-limits.ts";

/** URL that a link may redirect to: HTTP or HTTPS, without user name and password. */
export const destinationUrl = z
  .string()
  .max(URL_MAX_LENGTH, { abort: true })
  .refine((url) => findDestinationProblem(url) === null, {
    error: ({ input }) => findDestinationProblem(String(input)) ?? undefined,
    abort: true,
  })
  .meta({ format: "uri", example: "https://example.com/landing" });
