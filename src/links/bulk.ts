import { and, eq, getTableColumns, sql } from "drizzle-orm";
import { ApiError, invalid } from "../core/error.ts";
import { toIso } from "../core/time.ts";
import { inJson } from "../db/in-json.ts";
import { faultsOf } from "../http/validation.ts";
import { commit, type Occurrence } from "../webhooks/outbox.ts";
import type { Tenant } from "../workspace/tenant.ts";
import { capOf, cycleOf, exceedsPlan, planLimitError, takeUsage } from "../workspace/usage.ts";
import { usageCounters } from "../workspace/workspace.table.ts";
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
  const created = new Map<number, Link>();
  const refuse = (index: number, error: ApiError) => errors.push(bulkError(index, error));
  let pending = withoutDuplicates(candidatesOf(tenant, items, refuse), refuse);
  for (let tries = 1; pending.length > 0; tries++) {
    pending = await createPending(tenant, pending, created, refuse, tries === CODE_TRIES);
  }
  return {
    created: [...created].sort(([a], [b]) => a - b).map(([, link]) => link),
    errors: errors.sort((a, b) => a.index - b.index),
  };
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
  if (!parsed.success) throw invalid(...faultsOf(parsed.error.issues));
  requireForeignHosts(tenant, parsed.data);
  if (needsRoutingRules(tenant, parsed.data.routing_rules)) throw noRoutingRules(tenant);
  return parsed.data;
}

function withoutDuplicates(candidates: Candidate[], refuse: Refuse): Candidate[] {
  const slugs = new Set<string>();
  return candidates.filter(({ index, input: { custom_slug } }) => {
    const key = custom_slug?.toLowerCase();
    if (custom_slug === undefined || key === undefined) return true;
    if (slugs.has(key)) refuse(index, slugTaken(custom_slug));
    return !slugs.has(key) && slugs.add(key);
  });
}

/** One try at all that is left. Answers with what is to be tried again under fresh codes. */
async function createPending(
  tenant: Tenant,
  pending: readonly Candidate[],
  created: Map<number, Link>,
  refuse: Refuse,
  isLastTry: boolean,
): Promise<Candidate[]> {
  const attempts = pending.map((candidate) => ({ candidate, row: newRow(tenant, candidate.input) }));
  let outcome: InsertOutcome;
  try {
    outcome = await insertRows(
      tenant,
      attempts.map(({ row }) => row),
    );
  } catch (error) {
    if (exceedsPlan(error)) {
      for (const { index } of pending) refuse(index, planLimitError(tenant, "links"));
      return [];
    }
    const foreign = await withoutOwnDomains(tenant, pending, refuse);
    if (foreign.length === pending.length && (!isCodeTaken(error) || isLastTry)) throw error;
    return foreign;
  }
  return attempts.flatMap(({ candidate, row }): Candidate[] => {
    const link = outcome.inserted.get(row.id);
    if (link !== undefined) created.set(candidate.index, link);
    else if (!outcome.taken.has(row.codeKey)) refuse(candidate.index, planLimitError(tenant, "links"));
    else if (!row.isCustom && !isLastTry) return [candidate];
    else refuse(candidate.index, slugTaken(row.shortCode));
    return [];
  });
}

interface InsertOutcome {
  inserted: Map<string, Link>;
  /** Code keys, of those asked for, that the workspace has after the insert. */
  taken: Set<string>;
}

/** Inserts, in order, the rows whose code is free until the plan's cap is reached, and counts them: one batch. */
async function insertRows(tenant: Tenant, rows: readonly Link[]): Promise<InsertOutcome> {
  const { db, workspace } = tenant;
  const ids = rows.map((row) => row.id);
  const isAskedFor = inJson(
    links.codeKey,
    rows.map((row) => row.codeKey),
  );
  const [inserted, , taken] = await commit(
    tenant,
    [
      db.insert(links).select(freeRows(tenant, rows)).returning(),
      takeUsage(tenant, "links", sql`(select count(*) from ${links} where ${inJson(links.id, ids)})`),
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
  };
}

/** The creation of those of the links that have come to be. */
function linksCreated({ nowMs }: Tenant, ids: readonly string[]): Occurrence {
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
                       and ${usageCounters.cycle} = ${cycleOf(tenant, "links")})`;
  return sql`select ${sql.join(columns, sql`, `)} from json_each(${JSON.stringify(rows)}) as item
              where not exists (select 1 from ${links}
                                 where ${links.workspaceId} = ${tenant.workspace.id}
                                   and ${links.codeKey} = item.value ->> '$.codeKey')
              order by item.key limit max(0, ${capOf(tenant, "links")} - coalesce(${used}, 0))`;
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
  const field = fault?.field === "body" ? "" : `.${fault?.field}`;
  return {
    index,
    error: BULK_ERROR_CODES[error.code] ?? "validation_error",
    message: fault === undefined ? error.message : `links[${index}]${field}: ${fault.message}`,
  };
}
