import * as z from "zod";
import { findDestinationFault } from "./destination-fault.ts";
import { URL_MAX_LENGTH } from "./link-limits.ts";

/** URL that a link may redirect to: HTTP or HTTPS, without user name and password. */
export const destinationUrl = z
  .string()
  .max(URL_MAX_LENGTH, { abort: true })
  .refine((url) => findDestinationFault(url) === null, {
    error: ({ input }) => findDestinationFault(String(input)) ?? undefined,
    abort: true,
  })
  .meta({ format: "uri", example: "https://example.com/landing" });
