import { not, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { formatUuidTime, ID_AHEAD_MAX_MS, readUuidTime } from "../core/id.ts";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import { type ColumnValues, selectColumns } from "../db/select-columns.ts";
import { PLANS, type PlanName } from "../tenant/plans.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { ENTRY_BYTES, RESOURCE_COPIES } from "../tenant/write-budget.ts";
import type { Change } from "./describe-changes.ts";
import type { EntryTable } from "./entry-columns.ts";

/** Actor of a change, its workspace and its request. */
export interface LogContext extends Pick<Tenant, "nowMs" | "actor" | "operation" | "requestId" | "origin"> {
  /** Workspace. Without its plan, the change is always allowed. */
  workspace: { id: string; plan?: PlanName };
}

/**
 * Maximum clock difference between machines. Entries further in the future don't affect the times of later
 * entries.
 */
const CLOCK_SKEW_MAX_MS = MINUTE_MS;

/**
 * Returns the select of a change's audit log entries. Their time is the request's time. If the workspace's
 * last entry isn't earlier, their time is one millisecond after that entry instead: a request that started
 * earlier can be committed later, and a log must be in commit order. So the entries of each batch have a
 * millisecond of their own.
 */
export function selectEntries<Table extends SQLiteTable & EntryTable>(
  table: Table,
  context: LogContext,
  { resourceType, rows, isRepeatable, isAlwaysAllowed }: Change,
): SQL {
  const { workspace, nowMs, actor, operation, requestId, origin } = context;
  const random = crypto.randomUUID();
  const latestId = formatUuidTime(nowMs + CLOCK_SKEW_MAX_MS);
  const last = sql`select ${table.at} as at, ${table.dayBytes} as bytes from ${table}
                    where ${table.workspaceId} = ${workspace.id} and ${table.id} < ${latestId}
                    order by ${table.id} desc limit 1`;
  const time = sql`select max(cast(${nowMs} as integer), coalesce(last.at, 0) + 1) as at, last.at as last_at, last.bytes
                     from (select 1) left join (${last}) as last`;
  const day = sql.raw(String(DAY_MS));
  const size = sql.raw(`${ENTRY_BYTES} + octet_length(change.changes) + ${RESOURCE_COPIES} * change.bytes`);
  const sum = sql`iif(time.at / ${day} = time.last_at / ${day}, time.bytes, 0)
    + sum(${size}) over (order by change.resource_id rows unbounded preceding)`;
  const budget =
    workspace.plan === undefined || isAlwaysAllowed
      ? Number.MAX_SAFE_INTEGER
      : PLANS[workspace.plan].writtenBytesPerDay;
  const hex = sql`printf('%012x', time.at)`;
  const ordinal = sql`printf('%04x', 32767 + row_number() over (order by change.resource_id))`;
  const values: Record<string, SQL | string | number> = {
    workspaceId: workspace.id,
    id: sql`substr(${hex}, 1, 8) || '-' || substr(${hex}, 9) || ${`-7${random.slice(15, 19)}`} || ${ordinal} || ${random.slice(23)}`,
    at: sql`time.at`,
    actorType: actor.type,
    actorId: actor.id,
    actorName: actor.name,
    operation,
    resourceType,
    resourceId: sql`change.resource_id`,
    requestId,
    changes: sql`change.changes`,
    dayBytes: sql`iif(${sum} <= ${sql.raw(String(budget))}, ${sum}, null)`,
  };
  return selectColumns(
    table,
    values as ColumnValues<Table>,
    sql`from (${time}) as time join (${rows}) as change
       where ${isRepeatable && origin.isRetry ? not(isLogged(table, context)) : sql`true`}`,
  );
}

/** Returns the condition that an earlier run of the same request has already logged the change. */
function isLogged(table: EntryTable, { operation, requestId, origin, workspace }: LogContext): SQL {
  // A request's id can be ahead of the clock, and so of the time of the request's entries.
  const firstId = formatUuidTime(readUuidTime(origin.requestId) - ID_AHEAD_MAX_MS);
  return sql`exists (select 1 from ${table} as earlier
                      where earlier.resource_id = change.resource_id and earlier.id >= ${firstId}
                        and earlier.workspace_id = ${workspace.id} and earlier.operation = ${operation}
                        and earlier.request_id in (${requestId}, ${origin.requestId}))`;
}
