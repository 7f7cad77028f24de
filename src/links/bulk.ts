import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { ApiError, invalid } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import { inJson } from "../db/in-json.ts";
import { listFaults } from "../http/validation.ts";
import { deriveId } from "../tenant/request-origin.ts";
import { usageCounters } from "../tenant/tenant.table.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { isPlanExceeded, planCap, planLimitError, takeUsage, usageCycle } from "../tenant/usage.ts";
import { commit, type OutboxEvent } from "../webhooks/outbox.ts";
import { type BulkError, createLinkBody, type NewLink } from "./links.schema.ts";
import { links } from "./links.table.ts";
import {
  CODE_TRIES,
  isCodeTaken,
  type Link,
  needsRoutingRules,
  newRow,
  noRoutingRules,
  refuseOwnDomains,
  requireForeignHosts,
  slugTaken,
} from "./links.ts";

/** An item that has passed validation. */
interface Candidate {
  index: number;
  input: NewLink;
}

/** What became of the items of one call, both in their order. */
export interface BulkOutcome {
  created: Link[];
  errors: BulkError[];
}

const BULK_ERROR_CODES: Partial<Record<ApiError["code"], BulkError["error"]>> = {
  VALIDATION_ERROR: "validation_error",
  FEATURE_NOT_AVAILABLE: "feature_not_available",
  PLAN_LIMIT_EXCEEDED: "plan_limit_exceeded",
  SLUG_TAKEN: "conflict",
};

/**
 * Creates up to 100 links with one statement. A faulty item is reported and stops no other; items of one call
 * conflict with each other too.
 */
export async function createLinks(tenant: Tenant, items: readonly unknown[]): Promise<BulkOutcome> {
  const errors: BulkError[] = [];
  const created = await madeOf(tenant, items.length);
  const refuse = (index: number, error: ApiError) => errors.push(bulkError(index, error));
  let pending = candidatesOf(tenant, items, refuse).filter(({ index }) => !created.has(index));
  for (let tries = 1; pending.length > 0; tries++) {
    pending = await createPending(tenant, pending, created, refuse, tries === CODE_TRIES);
  }
  return {
    created: [...created].sort(([a], [b]) => a - b).map(([, link]) => link),
    errors: errors.sort((a, b) => a.index - b.index),
  };
}

/** The links, by their index, that were made when the request was sent before. */
async function madeOf(tenant: Tenant, count: number): Promise<Map<number, Link>> {
  const { db, workspace, origin } = tenant;
  if (!origin.isRetry) return new Map();
  const ids = Array.from({ length: count }, (_, index) => deriveId(tenant, index));
  const made = await db
    .select()
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), inJson(links.id, ids)));
  return new Map(made.map((link) => [ids.indexOf(link.id), link]));
}

type Refuse = (index: number, error: ApiError) => void;

function candidatesOf(tenant: Tenant, items: readonly unknown[], refuse: Refuse): Candidate[] {
  return items.flatMap((item, index): Candidate[] => {
    try {
      return [{ index, input: checkedItem(tenant, item) }];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(index, error);
      return [];
    }
  });
}

function checkedItem(tenant: Tenant, item: unknown): NewLink {
  const parsed = createLinkBody.safeParse(item);
  if (!parsed.success) throw invalid(...listFaults(parsed.error.issues));
  requireForeignHosts(tenant, parsed.data);
  if (needsRoutingRules(tenant, parsed.data.routing_rules)) throw noRoutingRules(tenant);
  return parsed.data;
}

/** One try at all that is left. Answers with what is to be tried again under fresh codes. */
async function createPending(
  tenant: Tenant,
  pending: readonly Candidate[],
  created: Map<number, Link>,
  refuse: Refuse,
  isLastTry: boolean,
): Promise<Candidate[]> {
  const attempts = pending.map((candidate) => ({
    candidate,
    row: newRow(tenant, candidate.input, candidate.index),
  }));
  let outcome: InsertOutcome;
  try {
    outcome = await insertRows(
      tenant,
      attempts.map(({ row }) => row),
    );
  } catch (error) {
    if (isPlanExceeded(error)) {
      for (const { index } of pending) refuse(index, planLimitError(tenant, "links"));
      return [];
    }
    const foreign = await withoutOwnDomains(tenant, pending, refuse);
    if (foreign.length === pending.length && (!isCodeTaken(error) || isLastTry)) throw error;
    return foreign;
  }
  for (const { candidate, row } of attempts) {
    const link = outcome.inserted.get(row.id);
    if (link !== undefined) created.set(candidate.index, link);
  }
  const lastCreated = Math.max(-1, ...created.keys());
  return attempts.flatMap(({ candidate: { index, input }, row }): Candidate[] => {
    if (created.has(index)) return [];
    // As if the items had come one by one: once the plan is used up, it is that, and not the slug, that refuses.
    const isPastCap = outcome.isFull && (index > lastCreated || !outcome.taken.has(row.codeKey));
    if (isPastCap) refuse(index, planLimitError(tenant, "links"));
    else if (!row.isCustom && !isLastTry) return [{ index, input }];
    else refuse(index, slugTaken(row.shortCode));
    return [];
  });
}

interface InsertOutcome {
  inserted: Map<string, Link>;
  /** Code keys, of those asked for, that the workspace has after the insert. */
  taken: Set<string>;
  /** The plan's cap is reached. */
  isFull: boolean;
}

/**
 * Inserts, in order, the rows whose code is free until the plan's cap is reached, and counts them: one batch. Of rows
 * with one code the first is inserted.
 */
async function insertRows(tenant: Tenant, rows: readonly Link[]): Promise<InsertOutcome> {
  const { db, workspace } = tenant;
  const ids = rows.map((row) => row.id);
  const isAskedFor = inJson(
    links.codeKey,
    rows.map((row) => row.codeKey),
  );
  const insertedCount = sql`(select count(*) from ${links} where ${inJson(links.id, ids)})`;
  const [inserted, [counted], taken] = await commit(
    tenant,
    [
      db
        .insert(links)
        .select(freeRows(tenant, firstOfEachCode(rows)))
        .returning(),
      takeUsage(tenant, "links", insertedCount).returning(),
      db
        .select({ codeKey: links.codeKey })
        .from(links)
        .where(and(eq(links.workspaceId, workspace.id), isAskedFor)),
    ],
    linksCreated(tenant, ids),
  );
  return {
    inserted: new Map(inserted.map((link) => [link.id, link])),
    taken: new Set(taken.map(({ codeKey }) => codeKey)),
    isFull: counted !== undefined && counted.used >= planCap(tenant, "links"),
  };
}

function firstOfEachCode(rows: readonly Link[]): Link[] {
  return rows.filter((row, index) => rows.findIndex(({ codeKey }) => codeKey === row.codeKey) === index);
}

/** The creation of those of the links that have come to be. */
function linksCreated({ nowMs }: Tenant, ids: readonly string[]): OutboxEvent {
  const rows = sql`select json_object('link_id', ${links.id}, 'short_code', ${links.shortCode},
                                      'destination', ${links.destination}) as data,
                          ${toIso(nowMs)} as timestamp, item.key as ordinal
                     from json_each(${JSON.stringify(ids)}) as item join ${links} on ${links.id} = item.value`;
  return { type: "link.created", rows };
}

function freeRows(tenant: Tenant, rows: readonly Link[]) {
  const columns = Object.entries(getTableColumns(links)).map(([property, column]) =>
    sql.raw(`item.value ${column.dataType === "json" ? "->" : "->>"} '$.${property}'`),
  );
  const used = sql`(select ${usageCounters.used} from ${usageCounters}
                     where ${usageCounters.workspaceId} = ${tenant.workspace.id}
                       and ${usageCounters.resource} = 'links'
                       and ${usageCounters.cycle} = ${usageCycle(tenant, "links")})`;
  return sql`select ${sql.join(columns, sql`, `)} from json_each(${JSON.stringify(rows)}) as item
              where not exists (select 1 from ${links}
                                 where ${links.workspaceId} = ${tenant.workspace.id}
                                   and ${links.codeKey} = item.value ->> '$.codeKey')
              order by item.key limit max(0, ${planCap(tenant, "links")} - coalesce(${used}, 0))`;
}

async function withoutOwnDomains(
  tenant: Tenant,
  pending: readonly Candidate[],
  refuse: Refuse,
): Promise<Candidate[]> {
  const foreign: Candidate[] = [];
  for (const candidate of pending) {
    try {
      await refuseOwnDomains(tenant, candidate.input);
      foreign.push(candidate);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refuse(candidate.index, error);
    }
  }
  return foreign;
}

function bulkError(index: number, error: ApiError): BulkError {
  const [fault] = error.details ?? [];
  // A message begins with its field; but for the plan's, and for that of an item as a whole.
  const hasField = fault?.field !== "body" && error.code !== "PLAN_LIMIT_EXCEEDED";
  return {
    index,
    error: BULK_ERROR_CODES[error.code] ?? "validation_error",
    message: hasField
      ? `links[${index}].${error.message}`
      : `links[${index}]: ${fault?.message ?? error.message}`,
  };
}
