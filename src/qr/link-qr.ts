import { and, eq, isNull, sql } from "drizzle-orm";
import { shortUrl } from "../env.ts";
import { links } from "../links/links.table.ts";
import type { Link } from "../links/links.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isPlanExceeded, planLimitError, takeUsage } from "../tenant/usage.ts";

/** What the QR code of a link encodes. */
export function encodedUrl({ settings, workspace }: Tenant, link: Link): string {
  return shortUrl(settings, workspace.hostnames[0], link.shortCode);
}

/**
 * Counts a link against the plan's `dynamic_qr` when its QR code is rendered for the first time; renders in parallel
 * count it once, since amount and mark are of one batch. Throws `PLAN_LIMIT_EXCEEDED`.
 */
export async function countFirstRender(tenant: Tenant, link: Link): Promise<void> {
  if (link.qrRenderedAt !== null) return;
  const { db, workspace, nowMs } = tenant;
  const isUncounted = and(
    eq(links.workspaceId, workspace.id),
    eq(links.id, link.id),
    isNull(links.qrRenderedAt),
  );
  try {
    await db.batch([
      takeUsage(tenant, "dynamic_qr", sql`(select count(*) from ${links} where ${isUncounted})`),
      db.update(links).set({ qrRenderedAt: nowMs }).where(isUncounted),
    ]);
  } catch (error) {
    throw isPlanExceeded(error) ? planLimitError(tenant, "dynamic_qr") : error;
  }
}
