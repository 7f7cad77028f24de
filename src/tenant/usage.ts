import { eq, type SQL, sql } from "drizzle-orm";
import { ApiError } from "../core/error.ts";
import { billingCycle } from "../core/time.ts";
import { violatesCheck } from "../db/constraint.ts";
import { PLANS, type Plan } from "./plans.ts";
import { recover } from "./request-origin.ts";
import { type CountedResource, usageCounters, workspaces } from "./tenant.table.ts";
import type { Tenant } from "./tenant.ts";

export const MEBIBYTE_BYTES = 1_048_576;

/** What a plan bounds: the cap, whether it starts anew each billing cycle, and its name in a message. */
const COUNTED = {
  links: { cap: (plan: Plan) => plan.linksPerMonth, monthly: true, noun: "links a month" },
  dynamic_qr: { cap: (plan: Plan) => plan.dynamicQr, monthly: false, noun: "links with a QR code" },
  bio_pages: { cap: (plan: Plan) => plan.bioPages, monthly: false, noun: "bio pages" },
  qr_templates: { cap: (plan: Plan) => plan.qrTemplates, monthly: false, noun: "QR templates" },
  storage_bytes: {
    cap: (plan: Plan) => plan.storageMb * MEBIBYTE_BYTES,
    monthly: false,
    noun: "bytes of storage",
  },
  webhooks: { cap: (plan: Plan) => plan.webhookEndpoints, monthly: false, noun: "webhook endpoints" },
} as const satisfies Record<CountedResource, object>;

/** The plan's cap for a resource, as the database can hold it. */
export function planCap(tenant: Tenant, resource: CountedResource): number {
  return Math.min(COUNTED[resource].cap(PLANS[tenant.workspace.plan]), Number.MAX_SAFE_INTEGER);
}

/** The billing cycle a resource is counted in; empty if it is bounded for good. */
export function usageCycle(tenant: Tenant, resource: CountedResource): string {
  return COUNTED[resource].monthly ? billingCycle(tenant.nowMs) : "";
}

/**
 * The statement that counts `amount` more of a resource. It goes into the batch that creates it; past the plan's
 * cap the batch fails as {@link isPlanExceeded} tells.
 */
export function takeUsage(tenant: Tenant, resource: CountedResource, amount: number | SQL = 1) {
  const cap = planCap(tenant, resource);
  return tenant.db
    .insert(usageCounters)
    .values({
      workspaceId: tenant.workspace.id,
      resource,
      cycle: usageCycle(tenant, resource),
      used: sql`${amount}`,
      cap,
    })
    .onConflictDoUpdate({
      target: [usageCounters.workspaceId, usageCounters.resource, usageCounters.cycle],
      set: { used: sql`${usageCounters.used} + excluded.used`, cap },
    });
}

/** The statement that gives back `amount` of a resource bounded for good; for the batch that deletes it. */
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

/** Whether a batch failed because a {@link takeUsage} in it went past the plan's cap. */
export function isPlanExceeded(error: unknown): boolean {
  return violatesCheck(error, "plan_cap");
}

/** The error for a creation past the plan's cap. */
export function planLimitError(tenant: Tenant, resource: CountedResource): ApiError {
  const { plan } = tenant.workspace;
  return new ApiError(
    "PLAN_LIMIT_EXCEEDED",
    `The ${plan} plan allows ${planCap(tenant, resource)} ${COUNTED[resource].noun}.`,
  );
}

/**
 * What becomes of a creation that failed with `error`: the resource, if the request made it when it was sent before
 * (`find` looks for it); else `PLAN_LIMIT_EXCEEDED` or the error itself is thrown.
 */
export async function recoverOrRefuse<Made>(
  tenant: Tenant,
  resource: CountedResource,
  error: unknown,
  find: (tenant: Tenant, id: string) => Promise<Made>,
): Promise<Made> {
  const made = await recover(tenant, find);
  if (made !== null) return made;
  throw isPlanExceeded(error) ? planLimitError(tenant, resource) : error;
}

/** The query of how many links the workspace has; triggers on `links` keep the number. */
export function selectLinkCount({ db, workspace }: Tenant) {
  return db.select({ total: workspaces.linkCount }).from(workspaces).where(eq(workspaces.id, workspace.id));
}
