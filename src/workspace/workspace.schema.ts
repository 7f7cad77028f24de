import * as z from "zod";
import { id, timestamp } from "../http/fields.ts";
import { PLAN_NAMES, PLANS } from "../tenant/plans.ts";

const plan = z.enum(PLAN_NAMES).meta({ example: "business" });
const LIMITS_EXAMPLE = PLANS.business;

/** Workspace in a response. */
export const workspaceResponse = z
  .object({
    id,
    name: z.string().meta({ example: "Acme" }),
    description: z.string().meta({ example: "Shop in Springfield" }),
    plan,
    created_at: timestamp,
  })
  .meta({ id: "Workspace" });

/** Usage in the current billing cycle, and the plan's limits and features. */
export const usageResponse = z
  .object({
    plan,
    usage: z.object({
      links_created_this_month: z.int().meta({ example: 37 }),
      api_calls_this_month: z.int().meta({ example: 1_234 }),
      total_links: z.int().meta({ example: 412 }),
      total_qr_templates: z.int().meta({ example: 3 }),
      total_bio_pages: z.int().meta({ example: 2 }),
      storage_bytes: z.int().meta({ example: 7_864_320 }),
      storage_mb: z.number().meta({ example: 7.5 }),
      written_bytes_today: z
        .int()
        .describe("Bytes that changes have written since midnight UTC.")
        .meta({ example: 91_250 }),
    }),
    limits: z.object({
      links_per_month: z.int().meta({ example: LIMITS_EXAMPLE.linksPerMonth }),
      dynamic_qr: z.int().meta({ example: LIMITS_EXAMPLE.dynamicQr }),
      bio_pages: z.int().meta({ example: LIMITS_EXAMPLE.bioPages }),
      storage_mb: z.int().meta({ example: LIMITS_EXAMPLE.storageMb }),
      api_calls_per_month: z.int().meta({ example: LIMITS_EXAMPLE.apiCallsPerMonth }),
      qr_templates: z.int().meta({ example: LIMITS_EXAMPLE.qrTemplates }),
      written_bytes_per_day: z.int().meta({ example: LIMITS_EXAMPLE.writtenBytesPerDay }),
    }),
    features: z.object({
      routing_rules: z.boolean(),
      csv_export: z.boolean(),
      bulk_ops: z.boolean(),
      ad_free: z.boolean(),
    }),
  })
  .meta({ id: "Usage" });
