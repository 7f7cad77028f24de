import * as z from "zod";
import { id, timestamp } from "../http/fields.ts";
import { PLAN_NAMES } from "../tenant/plans.ts";

const plan = z.enum(PLAN_NAMES).meta({ example: "business" });

/** Workspace in a response. */
export const workspaceResponse = z
  .object({
    id,
    name: z.string().meta({ example: "Acme" }),
    description: z.string(),
    plan,
    created_at: timestamp,
  })
  .meta({ id: "Workspace" });

/** Usage of the current billing cycle, limits and features of the plan. */
export const usageResponse = z
  .object({
    plan,
    usage: z.object({
      links_created_this_month: z.int(),
      api_calls_this_month: z.int(),
      total_links: z.int(),
      total_qr_templates: z.int(),
      total_bio_pages: z.int(),
      storage_bytes: z.int(),
      storage_mb: z.number(),
    }),
    limits: z.object({
      links_per_month: z.int(),
      dynamic_qr: z.int(),
      bio_pages: z.int(),
      storage_mb: z.int(),
      api_calls_per_month: z.int(),
      qr_templates: z.int(),
    }),
    features: z.object({
      routing_rules: z.boolean(),
      csv_export: z.boolean(),
      bulk_ops: z.boolean(),
      ad_free: z.boolean(),
    }),
  })
  .meta({ id: "Usage" });

/** Member in a response. */
export const memberResponse = z
  .object({
    id,
    email: z.string().meta({ example: "ada@example.com" }),
    name: z.string().meta({ example: "Ada" }),
  })
  .meta({ id: "Member" });
