import * as z from "zod";
import { timestamp } from "../http/fields.ts";
import type { RateLimitShape } from "../limits/allowance.ts";

const remaining = z.int().meta({ example: 23_766, description: "Number of calls left this month." });

/** Schemas of `meta.rate_limit`, by the shape that an operation uses: see {@link RateLimitShape}. */
export const QUOTA_FORMS = {
  A: z
    .strictObject({
      limit: z.int().meta({ example: 25_000, description: "Number of calls per month." }),
      remaining,
      reset: z
        .int()
        .meta({ example: 1_796_083_200, description: "Start of the next month, as Unix time in seconds." }),
    })
    .meta({
      id: "MonthlyQuotaUnixTime",
      description: "Monthly quota of calls. The time of its reset is in Unix time.",
    }),
  B: z
    .strictObject({
      remaining,
      reset_at: timestamp.meta({
        example: "2026-12-01T00:00:00.000Z",
        description: "Start of the next month.",
      }),
    })
    .meta({
      id: "MonthlyQuotaIsoTime",
      description: "Monthly quota of calls. The time of its reset is in ISO 8601.",
    }),
} satisfies Record<RateLimitShape, z.ZodObject>;
