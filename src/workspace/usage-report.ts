import { and, eq, inArray } from "drizzle-orm";
import type * as z from "zod";
import { selectWrittenToday } from "../audit/shard-log.ts";
import { PLANS, type Plan } from "../tenant/plans.ts";
import { type CountedResource, usageCounters } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { getUsageCycle, MEBIBYTE_BYTES, selectLinkCount } from "../tenant/usage.ts";
import type { usageResponse } from "./workspace.schema.ts";

const BYTES_DECIMALS = 2;

/** Returns the workspace's usage, and the limits and features of its plan. */
export async function readUsage(
  tenant: Tenant,
  callsThisMonth: number,
): Promise<z.input<typeof usageResponse>> {
  const { db, workspace } = tenant;
  const [counters, [linkCount], [written]] = await db.batch([
    db
      .select()
      .from(usageCounters)
      .where(
        and(
          eq(usageCounters.workspaceId, workspace.id),
          inArray(usageCounters.cycle, ["", getUsageCycle(tenant, "links")]),
        ),
      ),
    selectLinkCount(tenant),
    selectWrittenToday(tenant),
  ]);
  const getUsed = (resource: CountedResource) =>
    counters.find((counter) => counter.resource === resource)?.used ?? 0;
  const plan: Plan = PLANS[workspace.plan];
  return {
    plan: workspace.plan,
    usage: {
      links_created_this_month: getUsed("links"),
      api_calls_this_month: callsThisMonth,
      total_links: linkCount?.total ?? 0,
      total_qr_templates: getUsed("qr_templates"),
      total_bio_pages: getUsed("bio_pages"),
      storage_bytes: getUsed("storage_bytes"),
      storage_mb: Number((getUsed("storage_bytes") / MEBIBYTE_BYTES).toFixed(BYTES_DECIMALS)),
      written_bytes_today: written?.bytes ?? 0,
    },
    limits: {
      links_per_month: plan.linksPerMonth,
      dynamic_qr: plan.dynamicQr,
      bio_pages: plan.bioPages,
      storage_mb: plan.storageMb,
      api_calls_per_month: plan.apiCallsPerMonth,
      qr_templates: plan.qrTemplates,
      written_bytes_per_day: plan.writtenBytesPerDay,
    },
    features: {
      routing_rules: plan.routingRules,
      csv_export: plan.csvExport,
      bulk_ops: plan.bulkOps,
      ad_free: plan.adFree,
    },
  };
}
