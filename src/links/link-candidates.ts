import { and, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { formatUuidTime } from "../core/id.ts";
import { inJson } from "../db/in-json.ts";
import { olderThan } from "../db/list-page.ts";
import { toCodeKey } from "../routing/short-code.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkFilter } from "./links.schema.ts";
import { linkLabels, links, POSITION_BITS } from "./links.table.ts";
import { prepareSearch, SEARCHED_CHARACTERS, type SearchText } from "./search-terms.ts";

/**
 * Maximum number of links that a filtered list examines. D1 counts up to six rows read for each: the term, the candidate,
 * the entry of `links_position`, the link, its label, and its place in the page.
 */
export const EXAMINED_MAX = 700;

/**
 * Number of neighbouring positions that a search covers. It bounds the work for terms that are frequent, but never
 * together: the index passes over 300,000 links in about 20 ms.
 */
const SEARCHED_POSITIONS = 500_000;

/** Ordered rows of an index that a filtered list examines. */
export interface Candidates {
  /** Common table expressions that the others refer to. */
  tables: SQL[];
  /** Select of the `key` of each candidate, in descending order. */
  select: SQL;
  /** Expression for the key from which on links were examined. Null if there is no further candidate. */
  reached: SQL;
  /** Expression for the cursor that stands at the key `reached`, or next before it. */
  reachedId: SQL;
  /** Condition for the link of a `key`. Null if the key is the id of a link that needs no further condition. */
  match: SQL | null;
  /** Conditions for a candidate that matches, besides the workspace. */
  conditions: (SQL | undefined)[];
}

/** Expression for the key of the last candidate, or null if there were fewer than a list examines. */
export const lastKey = sql`(select iif(count = ${EXAMINED_MAX}, last, null) from examined)`;

/** Returns the condition for archived links, or for the others. The literals let SQLite use the indexes of each. */
export function isArchived(archived: LinkFilter["archived"]): SQL | undefined {
  if (archived === "all") return undefined;
  return archived === "true" ? sql`${links.archived} = 1` : sql`${links.archived} = 0`;
}

/** Returns the condition for links that were created in the times of a filter: ids begin with the time. */
function isCreated({ created_after: after, created_before: before }: LinkFilter, id: SQLiteColumn) {
  return and(
    after === undefined ? undefined : gte(id, formatUuidTime(Math.max(0, after))),
    before === undefined ? undefined : lt(id, formatUuidTime(Math.max(0, before))),
  );
}

/** Returns all conditions of a filter. */
export function listConditions(tenant: Tenant, filter: LinkFilter): (SQL | undefined)[] {
  const { search, label, enabled, archived, domain, codes } = filter;
  return [
    codes === undefined ? undefined : hasCode(codes),
    enabled === undefined ? undefined : sql`${links.enabled} = ${enabled ? 1 : 0}`,
    isArchived(archived),
    isCreated(filter, links.id),
    label === undefined ? undefined : hasLabel(tenant, label),
    search === undefined ? undefined : hasText(prepareSearch(search)),
    domain === undefined ? undefined : isOnDomain(domain),
  ];
}

/** Returns the candidates of the index that selects best: of the codes, the search, the label, or the state. */
export function findCandidates(tenant: Tenant, filter: LinkFilter, before: string | undefined): Candidates {
  const { search, label, enabled, archived, domain, codes } = filter;
  const byId = { tables: [], reached: lastKey, reachedId: sql`key`, match: sql`${links.id} = key` };
  const inRange = (id: SQLiteColumn) => and(isCreated(filter, id), olderThan(id, before));
  if (codes !== undefined) {
    const ofCodes = and(eq(links.workspaceId, tenant.workspace.id), hasCode(codes));
    // Otherwise SQLite walks all links in the order that is asked for.
    const select = sql`select ${links.id} as key from ${links} indexed by links_code
      where ${and(ofCodes, inRange(links.id))} order by key desc`;
    return { ...byId, select, conditions: listConditions(tenant, { ...filter, codes: undefined }) };
  }
  // A name of two characters has no terms in the index.
  const texts = [search, domain].filter((text) => text !== undefined).map(prepareSearch);
  const [text] = texts;
  if (text !== undefined && (search !== undefined || !text.isStart)) {
    const terms = texts.flatMap((prepared, index) => (index > 0 && prepared.isStart ? [] : prepared.terms));
    return findByTerms(tenant, terms, before, listConditions(tenant, filter));
  }
  if (label !== undefined) {
    const ofLabel = and(eq(linkLabels.workspaceId, tenant.workspace.id), eq(linkLabels.label, label));
    const select = sql`select ${linkLabels.linkId} as key from ${linkLabels}
      where ${and(ofLabel, inRange(linkLabels.linkId))} order by key desc`;
    return { ...byId, select, conditions: listConditions(tenant, { ...filter, label: undefined }) };
  }
  // The literal 0 lets SQLite use the index of disabled links.
  const state = enabled === false ? sql`${links.enabled} = 0` : isArchived(archived);
  const condition = and(eq(links.workspaceId, tenant.workspace.id), inRange(links.id), state);
  const select = sql`select ${links.id} as key from ${links} where ${condition} order by ${links.id} desc`;
  const isComplete = enabled === undefined && domain === undefined;
  return isComplete
    ? { ...byId, select, match: null, conditions: [] }
    : { ...byId, select, conditions: listConditions(tenant, filter) };
}

/** Returns the condition for links with one of some short codes, in either case. */
function hasCode(codes: readonly string[]): SQL {
  return inJson(links.codeKey, codes.map(toCodeKey));
}

function hasLabel({ workspace }: Tenant, label: string): SQL {
  const labelled = and(
    eq(linkLabels.workspaceId, workspace.id),
    eq(linkLabels.label, label),
    eq(linkLabels.linkId, links.id),
  );
  return sql`exists (select 1 from ${linkLabels} where ${labelled})`;
}

const searchedDestination = sql`lower(substr(${links.destination}, 1, ${SEARCHED_CHARACTERS}))`;

/** Returns the condition for links with a text. */
function hasText({ needle, isStart }: SearchText): SQL {
  return isStart
    ? sql`substr(${links.codeKey}, 1, length(${needle})) = ${needle}`
    : sql`(instr(${links.codeKey}, ${needle}) > 0 or instr(${searchedDestination}, ${needle}) > 0
           or coalesce(instr(lower(${links.title}), ${needle}), 0) > 0)`;
}

/** Returns the condition for links whose destination is on a host or below it. */
function isOnDomain(domain: string): SQL {
  const rest = sql`substr(${searchedDestination}, instr(${searchedDestination}, '://') + 3)`;
  // Every character that can follow a host in a URL becomes the same one.
  const ends = ["?", "#", ":", "\\"].reduce((text, end) => sql`replace(${text}, ${end}, '/')`, rest);
  const host = sql`substr(${ends}, 1, instr(${ends} || '/', '/') - 1)`;
  return sql`(${host} = ${domain} or substr(${host}, -length(${domain}) - 1) = ${`.${domain}`})`;
}

/** Returns the links that have terms of the search index, among the {@link SEARCHED_POSITIONS} before the cursor. */
function findByTerms(
  { workspace }: Tenant,
  terms: readonly string[],
  before: string | undefined,
  conditions: (SQL | undefined)[],
): Candidates {
  const end = before === undefined ? sql`high` : sql`min(high, ${positionAfter(workspace.id, before)})`;
  const range = sql`select low, terms,
      coalesce((select max(position) from links where position > low and position < ${end}), low) as newest
    from (select number << ${integer(POSITION_BITS)} as low,
                 (number + 1) << ${integer(POSITION_BITS)} as high,
                 (select group_concat('"' || printf('%xz', number) || value || '"', ' AND ')
                    from json_each(${JSON.stringify(terms)})) as terms
            from tenants where id = ${workspace.id})`;
  const oldest = sql`max(low, newest - ${integer(SEARCHED_POSITIONS - 1)})`;
  return {
    tables: [sql`range as materialized (select *, ${oldest} as oldest from (${range}))`],
    select: sql`select rowid as key from link_search
      where link_search match (select terms from range)
        and rowid between (select oldest from range) and (select newest from range)
      order by rowid desc`,
    reached: sql`(select coalesce(${lastKey}, oldest) from range
      where exists (select 1 from links where position >= low and position < coalesce(${lastKey}, oldest)))`,
    reachedId: sql`(select id from links where position >= reached.key order by position limit 1)`,
    match: sql`${links.position} = key`,
    conditions,
  };
}

/** Writes a whole number as a literal. D1 binds numbers as REAL, and FTS5 ignores a bound of rowids that is REAL. */
function integer(value: number): SQL {
  return sql.raw(String(value));
}

/** Returns the expression for the position after the links that are older than the given one, which may be deleted. */
function positionAfter(workspaceId: string, id: string): SQL {
  const older = sql`select position + 1 from links where workspace_id = ${workspaceId} and id < ${id}
                     and position is not null order by id desc limit 1`;
  return sql`coalesce((select position from links where workspace_id = ${workspaceId} and id = ${id}), (${older}), 0)`;
}
