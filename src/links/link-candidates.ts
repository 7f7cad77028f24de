import { and, eq, gte, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { formatUuidTime } from "../core/id.ts";
import { olderThan } from "../db/list-page.ts";
import { toCodeKey } from "../routing/short-code.ts";
import type { Tenant } from "../tenant/tenant.ts";
import type { LinkFilter } from "./links.schema.ts";
import { linkLabels, links, POSITION_BITS } from "./links.table.ts";
import { prepareSearch, SEARCHED_CHARACTERS, type SearchText } from "./search-terms.ts";

/**
 * Maximum number of links that a filtered list examines. D1 counts up to six rows read for each link: the
 * search term, the candidate, the entry of `links_position`, the link, its label, and its position on the
 * page.
 */
export const EXAMINED_MAX = 700;

/**
 * Number of adjacent positions (see `links.position`) that a search covers. This bounds the work for terms
 * that are frequent but rarely occur together: the index skips 300,000 links in about 20 ms.
 */
const SEARCHED_POSITIONS = 500_000;

/** Candidates for a filtered list: rows of an index, in order. */
export interface Candidates {
  /** Common table expressions that the other parts use. */
  tables: SQL[];
  /** Selects the `key` of each candidate, in descending order. */
  select: SQL;
  /** Expression for the key up to which links were examined. Null if there are no more candidates. */
  reached: SQL;
  /** Expression for the cursor at the key `reached`, or just before it. */
  reachedId: SQL;
  /** Condition that joins a link to a `key`. Null if the key is the id of a link that always matches. */
  match: SQL | null;
  /** Additional conditions that a candidate must match, besides the workspace. */
  conditions: (SQL | undefined)[];
}

/** Expression for the key of the last examined candidate. Null if fewer than {@link EXAMINED_MAX} exist. */
export const lastKey = sql`(select iif(count = ${EXAMINED_MAX}, last, null) from examined)`;

/**
 * Returns the condition for archived or unarchived links. Uses literals, so that SQLite can use the partial
 * indexes.
 */
export function byArchived(archived: LinkFilter["archived"]): SQL | undefined {
  if (archived === "all") return undefined;
  return archived === "true" ? sql`${links.archived} = 1` : sql`${links.archived} = 0`;
}

/** Returns the condition for a range of creation times. Ids start with the creation time. */
function byCreation({ created_after: after, created_before: before }: LinkFilter, id: SQLWrapper) {
  return and(
    after === undefined ? undefined : gte(id, formatUuidTime(Math.max(0, after))),
    before === undefined ? undefined : lt(id, formatUuidTime(Math.max(0, before))),
  );
}

/** Returns all conditions of a filter. */
export function listConditions(tenant: Tenant, filter: LinkFilter): (SQL | undefined)[] {
  const { search, label, enabled, archived, domain, codes, external_id, destination_status } = filter;
  return [
    codes === undefined ? undefined : byCodes(tenant, codes),
    external_id === undefined ? undefined : eq(links.externalId, external_id),
    enabled === undefined ? undefined : eq(links.enabled, enabled),
    byArchived(archived),
    destination_status === undefined ? undefined : eq(links.destinationStatus, destination_status),
    byCreation(filter, links.id),
    label === undefined ? undefined : byLabel(tenant, label),
    search === undefined ? undefined : byText(prepareSearch(search)),
    domain === undefined ? undefined : byDomain(domain),
  ];
}

/** Returns the candidates from the most selective index: codes, search, label or state. */
export function findCandidates(tenant: Tenant, filter: LinkFilter, before: string | undefined): Candidates {
  const { search, label, enabled, archived, domain, codes, external_id, destination_status } = filter;
  const byId = { tables: [], reached: lastKey, reachedId: sql`key`, match: sql`${links.id} = key` };
  const inRange = (id: SQLWrapper) => and(byCreation(filter, id), olderThan(id, before));
  if (external_id !== undefined) {
    const ofCaller = and(eq(links.workspaceId, tenant.workspace.id), eq(links.externalId, external_id));
    const select = sql`select ${links.id} as key from ${links} indexed by links_external
      where ${and(ofCaller, sql`${links.externalId} is not null`, inRange(links.id))} order by key desc`;
    return { ...byId, select, conditions: listConditions(tenant, { ...filter, external_id: undefined }) };
  }
  if (codes !== undefined) {
    const select = sql`select distinct link_id as key from (${selectByCodes(tenant, codes)})
      where ${and(sql`true`, inRange(sql`link_id`))} order by key desc`;
    return { ...byId, select, conditions: listConditions(tenant, { ...filter, codes: undefined }) };
  }
  // Domains of one or two characters are shorter than a term of the index, so only the conditions check them.
  const ofDomain = domain === undefined ? null : prepareSearch(domain);
  const terms = [
    ...(search === undefined ? [] : prepareSearch(search).terms),
    ...(ofDomain === null || ofDomain.isStart ? [] : ofDomain.terms),
  ];
  if (terms.length > 0) return findByTerms(tenant, terms, before, listConditions(tenant, filter));
  if (label !== undefined) {
    const ofLabel = and(eq(linkLabels.workspaceId, tenant.workspace.id), eq(linkLabels.label, label));
    const select = sql`select ${linkLabels.linkId} as key from ${linkLabels}
      where ${and(ofLabel, inRange(linkLabels.linkId))} order by key desc`;
    return { ...byId, select, conditions: listConditions(tenant, { ...filter, label: undefined }) };
  }
  // Uses literals, so that SQLite can use the partial indexes.
  const isBroken = destination_status === "broken" ? sql`${links.destinationStatus} = 'broken'` : undefined;
  const state = isBroken ?? (enabled === false ? sql`${links.enabled} = 0` : byArchived(archived));
  const condition = and(eq(links.workspaceId, tenant.workspace.id), inRange(links.id), state);
  const select = sql`select ${links.id} as key from ${links} where ${condition} order by ${links.id} desc`;
  const others = [enabled, domain, search, destination_status];
  const isComplete = others.every((value) => value === undefined);
  return isComplete
    ? { ...byId, select, match: null, conditions: [] }
    : { ...byId, select, conditions: listConditions(tenant, filter) };
}

/** Selects the ids of links with one of the short codes in any case, or with one of the aliases. */
function selectByCodes({ workspace }: Tenant, codes: readonly string[]): SQL {
  const wanted = sql`select value from json_each(${JSON.stringify(codes)})`;
  const keys = JSON.stringify(codes.map(toCodeKey));
  return sql`select link_id from link_addresses
    where workspace_id = ${workspace.id} and code_key in (select value from json_each(${keys}))
      and (any_case or path in (${wanted}))`;
}

/** Returns the condition for links that {@link selectByCodes} selects. */
function byCodes(tenant: Tenant, codes: readonly string[]): SQL {
  return sql`${links.id} in (${selectByCodes(tenant, codes)})`;
}

function byLabel({ workspace }: Tenant, label: string): SQL {
  const labelled = and(
    eq(linkLabels.workspaceId, workspace.id),
    eq(linkLabels.label, label),
    eq(linkLabels.linkId, links.id),
  );
  return sql`exists (select 1 from ${linkLabels} where ${labelled})`;
}

const searchedDestination = sql`lower(substr(${links.destination}, 1, ${SEARCHED_CHARACTERS}))`;

/** Returns the condition for links that contain a text. */
function byText({ needle, isStart }: SearchText): SQL {
  const hasAlias = (condition: SQL) =>
    sql`(${links.aliases} <> '[]' and exists (select 1 from json_each(${links.aliases}) where ${condition}))`;
  return isStart
    ? sql`(substr(${links.codeKey}, 1, length(${needle})) = ${needle}
           or ${hasAlias(sql`substr(lower(value), 1, length(${needle})) = ${needle}`)})`
    : sql`(instr(${links.codeKey}, ${needle}) > 0 or instr(${searchedDestination}, ${needle}) > 0
           or coalesce(instr(lower(${links.title}), ${needle}), 0) > 0
           or ${hasAlias(sql`instr(lower(value), ${needle}) > 0`)})`;
}

/** Returns the condition for links whose destination is on a host or its subdomains. */
function byDomain(domain: string): SQL {
  const rest = sql`substr(${searchedDestination}, instr(${searchedDestination}, '://') + 3)`;
  // Replaces all characters that can follow the host with a slash.
  const ends = ["?", "#", ":", "\\"].reduce((text, end) => sql`replace(${text}, ${end}, '/')`, rest);
  const host = sql`substr(${ends}, 1, instr(${ends} || '/', '/') - 1)`;
  return sql`(${host} = ${domain} or substr(${host}, -length(${domain}) - 1) = ${`.${domain}`})`;
}

/**
 * Returns the links that contain the search terms, among {@link SEARCHED_POSITIONS} positions before the
 * cursor.
 */
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

/** Writes an integer as a literal. D1 binds numbers as REAL, and FTS5 ignores rowid bounds that are REAL. */
function integer(value: number): SQL {
  return sql.raw(String(value));
}

/**
 * Returns the expression for the position just above all links older than the given one. The given link may
 * have been deleted.
 */
function positionAfter(workspaceId: string, id: string): SQL {
  const older = sql`select position + 1 from links where workspace_id = ${workspaceId} and id < ${id}
                     and position is not null order by id desc limit 1`;
  return sql`coalesce((select position from links where workspace_id = ${workspaceId} and id = ${id}), (${older}), 0)`;
}
