import { and, desc, eq, gt, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { created, defineResource, deleted, shownAs } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import { ApiError, createNotFoundError, createValidationError } from "../core/error.ts";
import { formatCount } from "../core/format-count.ts";
import { hashPassword } from "../core/password-hash.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { cutPage, type ListPage, olderThan } from "../db/list-page.ts";
import { selectColumns } from "../db/select-columns.ts";
import { isErased } from "../tenant/deleted-workspaces.ts";
import { PLANS } from "../tenant/plans.ts";
import { deriveId, recover } from "../tenant/request-origin.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { domains, workspaces } from "../tenant/workspaces.directory.table.ts";
import { requireReportLinks } from "./report-links.ts";
import { toRangeColumns } from "./report-range.ts";
import { deriveReportToken, hashReportToken } from "./report-token.ts";
import { type Report, reports } from "./reports.directory.table.ts";
import type { NewReport } from "./reports.schema.ts";

/** Creates, lists, revokes and finds the shared reports of a workspace. */

/** Highest exact total of a list. Counting more reports would cost more than listing them. */
const TOTAL_MAX = 1_000;
/** Number of expired reports that are kept for lists. */
const EXPIRED_MAX = 100;

/** Fields of reports in the audit log. */
const auditedReport = defineResource("report", reports, {
  title: "title",
  links: shownAs("large", "linkIds"),
  label: "label",
  days: "days",
  from_date: "fromDate",
  to_date: "toDate",
  expires_at: shownAs("time", "expiresAt"),
  has_password: shownAs("is_set", "passwordHash"),
});

/**
 * Creates a report. `secret` is the secret of its token. Throws `VALIDATION_ERROR` for an expiry in the past
 * or a link that doesn't exist, and `PLAN_LIMIT_EXCEEDED`.
 */
export async function createReport(tenant: Tenant, secret: string, input: NewReport): Promise<Report> {
  const { workspace, nowMs } = tenant;
  const recovered = await recover(tenant, getReport);
  if (recovered !== null) return recovered;
  const { title, links = null, label = null, range, expires_at: expiresAt = null, password = null } = input;
  if (expiresAt !== null && expiresAt <= nowMs) {
    throw createValidationError({ field: "expires_at", message: "must be in the future" });
  }
  await requireReportLinks(tenant, links === null ? { label: label ?? "" } : { linkIds: links });
  const id = deriveId(tenant);
  return insertReport(tenant, {
    ...{ id, tokenHash: await hashReportToken(await deriveReportToken(secret, id)) },
    ...{ workspaceId: workspace.id, title, linkIds: links, label, ...toRangeColumns(range) },
    ...{ expiresAt, passwordHash: password === null ? null : await hashPassword(password), createdAt: nowMs },
  });
}

/** Inserts a report if the plan allows another one, and deletes the oldest expired ones. */
async function insertReport(tenant: Tenant, row: Report): Promise<Report> {
  const { directory, workspace, nowMs } = tenant;
  const isHere = eq(reports.workspaceId, workspace.id);
  const expired = directory
    .select({ id: reports.id })
    .from(reports)
    .where(and(isHere, lte(reports.expiresAt, nowMs)))
    .orderBy(desc(reports.id))
    .limit(TOTAL_MAX)
    .offset(EXPIRED_MAX);
  const cap = PLANS[workspace.plan].sharedReports;
  const isWorking = or(isNull(reports.expiresAt), gt(reports.expiresAt, nowMs));
  const used = sql`(select count(*) from ${reports} where ${and(isHere, isWorking)})`;
  const values = { ...row, linkIds: row.linkIds === null ? null : JSON.stringify(row.linkIds) };
  const source = sql`from ${workspaces} where ${eq(workspaces.id, workspace.id)} and ${used} < ${cap}`;
  const byId = reportById(workspace.id, row.id);
  const [, [report]] = await directory.batch([
    directory.delete(reports).where(and(isHere, sql`${reports.id} in ${expired}`)),
    directory
      .insert(reports)
      .select(selectColumns(reports, values, source))
      .returning(),
    logDirectoryChange(tenant, created(auditedReport, byId)),
  ]);
  if (report !== undefined) return report;
  throw new ApiError(
    "PLAN_LIMIT_EXCEEDED",
    `The ${workspace.plan} plan allows ${formatCount(cap, "shared report")}. Revoke one first.`,
  );
}

/** Returns a report of the workspace. Throws `RESOURCE_NOT_FOUND`. */
async function getReport({ directory, workspace }: Tenant, id: string): Promise<Report> {
  const [report] = await directory.select().from(reports).where(reportById(workspace.id, id));
  if (report === undefined) throw createNotFoundError("report");
  return report;
}

/** Lists the workspace's reports, newest first, and counts them up to {@link TOTAL_MAX}. */
export async function listReports(
  { directory, workspace }: Tenant,
  { limit, offset, before }: ListPage,
): Promise<{ reports: Report[]; total: number; isTotalCapped: boolean; nextBefore: string | null }> {
  const isHere = eq(reports.workspaceId, workspace.id);
  const first = directory
    .select({ id: reports.id })
    .from(reports)
    .where(isHere)
    .limit(TOTAL_MAX + 1);
  const [read, [counted]] = await directory.batch([
    directory
      .select()
      .from(reports)
      .where(and(isHere, olderThan(reports.id, before)))
      .orderBy(desc(reports.id))
      .limit(limit + 1)
      .offset(offset),
    directory.select({ total: sql<number>`count(*)` }).from(first.as("first")),
  ]);
  const { rows, nextBefore } = cutPage(read, limit);
  const total = counted?.total ?? 0;
  return {
    reports: rows,
    total: Math.min(total, TOTAL_MAX),
    isTotalCapped: total > TOTAL_MAX,
    nextBefore,
  };
}

/** Returns the token of a report, or null if the secret has been replaced since its creation. */
export async function findReportToken(secret: string, { id, tokenHash }: Report): Promise<string | null> {
  const token = await deriveReportToken(secret, id);
  return (await hashReportToken(token)) === tokenHash ? token : null;
}

/** Revokes a report. Its URL no longer works. Throws `RESOURCE_NOT_FOUND`. */
export async function revokeReport(tenant: Tenant, id: string): Promise<void> {
  const { directory, workspace } = tenant;
  const byId = reportById(workspace.id, id);
  const [, revoked] = await directory.batch([
    logDirectoryChange(tenant, deleted(auditedReport, byId)),
    directory.delete(reports).where(byId).returning({ id: reports.id }),
  ]);
  if (revoked.length === 0) throw createNotFoundError("report");
}

/** Report that a visitor opens, with the parts of its workspace that the page needs. */
export interface OpenReport {
  report: Report;
  shard: number;
  /** Primary domain of the workspace. */
  hostname: string;
  suspendedAt: number | null;
}

/** Returns the report with a token hash, also if it has expired. */
export async function findReport(directory: Database, tokenHash: string): Promise<OpenReport | null> {
  const primary = sql<string>`(select ${domains.hostname} from ${domains}
    where ${domains.workspaceId} = ${workspaces.id}
    order by ${domains.number} = ${workspaces.primaryDomain} desc, ${domains.number} limit 1)`;
  const { shard, suspendedAt } = workspaces;
  const [found] = await directory
    .select({ report: reports, shard, suspendedAt, hostname: primary })
    .from(reports)
    .innerJoin(workspaces, eq(workspaces.id, reports.workspaceId))
    .where(and(eq(reports.tokenHash, tokenHash), sql`not ${isErased()}`));
  return found ?? null;
}

/** Deletes some reports of a deleted workspace and returns their number. */
export function eraseReports(directory: Database, workspaceId: string): Promise<number> {
  return deleteSome(directory, reports, [reports.id], eq(reports.workspaceId, workspaceId));
}

function reportById(workspaceId: string, id: string): SQL | undefined {
  return and(eq(reports.workspaceId, workspaceId), eq(reports.id, id));
}
