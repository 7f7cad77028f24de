import { and, eq, type SQL, sql } from "drizzle-orm";
import { formatBytes } from "../core/byte-size.ts";
import { ApiError } from "../core/error.ts";
import { formatBillingCycle } from "../core/time.ts";
import { isCheckViolation } from "../db/constraint.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { PLANS, type Plan } from "./plans.ts";
import { recover } from "./request-origin.ts";
import { type CountedResource, tenants, usageCounters } from "./tenant.table.ts";
import type { Tenant } from "./tenant.ts";

export const MEBIBYTE_BYTES = 1_048_576;

/** Limit of each counted resource, whether it is monthly, and its name in error messages. */
const COUNTED = {
  links: { cap: (plan: Plan) => plan.linksPerMonth, monthly: true, noun: "links per month" },
  dynamic_qr: { cap: (plan: Plan) => plan.dynamicQr, monthly: false, noun: "links with a QR code" },
  bio_pages: { cap: (plan: Plan) => plan.bioPages, monthly: false, noun: "bio pages" },
  qr_templates: { cap: (plan: Plan) => plan.qrTemplates, monthly: false, noun: "QR templates" },
  storage_bytes: {
    cap: (plan: Plan) => plan.storageMb * MEBIBYTE_BYTES,
    monthly: false,
    noun: "of storage",
  },
  webhooks: { cap: (plan: Plan) => plan.webhookEndpoints, monthly: false, noun: "webhook endpoints" },
} as const satisfies Record<CountedResource, object>;

/**
 * Returns the plan's limit for a resource. Unlimited becomes the largest integer that the database can store.
 */
export function getPlanCap(tenant: Tenant, resource: CountedResource): number {
  return Math.min(COUNTED[resource].cap(PLANS[tenant.workspace.plan]), Number.MAX_SAFE_INTEGER);
}

/**
 * Returns the billing cycle in which a resource is counted, or an empty string if it isn't counted monthly.
 */
export function getUsageCycle(tenant: Tenant, resource: CountedResource): string {
  return COUNTED[resource].monthly ? formatBillingCycle(tenant.nowMs) : "";
}

/**
 * Returns the statement that adds `amount` to a resource's count. Add it to the batch that creates the
 * resource. If the plan's limit is exceeded, the whole batch fails with an error that {@link isPlanExceeded}
 * recognizes.
 */
export function takeUsage(tenant: Tenant, resource: CountedResource, amount: number | SQL = 1) {
  const cap = getPlanCap(tenant, resource);
  return tenant.db
    .insert(usageCounters)
    .values({
      workspaceId: tenant.workspace.id,
      resource,
      cycle: getUsageCycle(tenant, resource),
      used: sql`${amount}`,
      cap,
    })
    .onConflictDoUpdate({
      target: [usageCounters.workspaceId, usageCounters.resource, usageCounters.cycle],
      set: { used: sql`${usageCounters.used} + excluded.used`, cap },
    });
}

/** Returns the query for the count of a resource without billing cycles. */
export function selectUsage({ db, workspace }: Tenant, resource: CountedResource) {
  return db
    .select({ total: usageCounters.used })
    .from(usageCounters)
    .where(
      and(
        eq(usageCounters.workspaceId, workspace.id),
        eq(usageCounters.resource, resource),
        eq(usageCounters.cycle, ""),
      ),
    );
}

/** Returns the SQL expression for the amount of a resource that the plan still allows, at least 0. */
export function selectRemainingUsage(tenant: Tenant, resource: CountedResource): SQL {
  const used = sql`(select ${usageCounters.used} from ${usageCounters}
                     where ${usageCounters.workspaceId} = ${tenant.workspace.id}
                       and ${usageCounters.resource} = ${resource}
                       and ${usageCounters.cycle} = ${getUsageCycle(tenant, resource)})`;
  return sql`max(0, ${getPlanCap(tenant, resource)} - coalesce(${used}, 0))`;
}

/**
 * Returns the statement that subtracts `amount` from the count of a resource without billing cycles. Add it
 * to the batch that deletes the resource.
 */
export function releaseUsage(
  tenant: { db: Tenant["db"]; workspace: { id: string } },
  resource: CountedResource,
  amount: number | SQL = 1,
) {
  return tenant.db
    .update(usageCounters)
    .set({ used: sql`${usageCounters.used} - ${amount}` })
    .where(
      sql`${usageCounters.workspaceId} = ${tenant.workspace.id} and ${usageCounters.resource} = ${resource}
          and ${usageCounters.cycle} = ''`,
    );
}

/** Returns true if a batch failed because {@link takeUsage} exceeded the plan's limit. */
export function isPlanExceeded(error: unknown): boolean {
  return isCheckViolation(error, "plan_cap");
}

/** Returns the error for a creation that exceeds the plan's limit. */
export function createPlanLimitError(tenant: Tenant, resource: CountedResource): ApiError {
  const { plan } = tenant.workspace;
  const cap = getPlanCap(tenant, resource);
  const amount = resource === "storage_bytes" ? formatBytes(cap) : cap;
  return new ApiError("PLAN_LIMIT_EXCEEDED", `The ${plan} plan allows ${amount} ${COUNTED[resource].noun}.`);
}

/**
 * Handles a creation that failed with `error`: returns the resource if an earlier attempt of the request
 * created it (see {@link recover}), otherwise throws `PLAN_LIMIT_EXCEEDED` or the error itself.
 */
export async function recoverOrRefuse<Resource>(
  tenant: Tenant,
  resource: CountedResource,
  error: unknown,
  find: (tenant: Tenant, id: string) => Promise<Resource>,
): Promise<Resource> {
  const recovered = await recover(tenant, find);
  if (recovered !== null) return recovered;
  throw isPlanExceeded(error) ? createPlanLimitError(tenant, resource) : error;
}

/**
 * Returns the query for the workspace's numbers of links and archived links, which triggers on `links`
 * maintain.
 */
export function selectLinkCount({ db, workspace }: Tenant) {
  return db
    .select({ total: tenants.linkCount, archived: tenants.archivedCount })
    .from(tenants)
    .where(eq(tenants.id, workspace.id));
}

/** Deletes some usage counters of a deleted workspace and returns their number. */
export function eraseUsage(db: Database, workspaceId: string): Promise<number> {
  const { workspaceId: owner, resource, cycle } = usageCounters;
  return deleteSome(db, usageCounters, [owner, resource, cycle], eq(owner, workspaceId));
}
