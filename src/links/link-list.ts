import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type ListPage, olderThan } from "../db/list-page.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { selectLinkCount } from "../tenant/usage.ts";
import type { LinkFilter } from "./links.schema.ts";
import { type Link, linkLabels, links, POSITION_BITS } from "./links.table.ts";
import { prepareSearch, SEARCHED_CHARACTERS } from "./search-terms.ts";

/**
 * Maximum number of links that a filtered list examines. D1 counts up to six rows read for each: the term, the candidate,
 * the entry of `links_position`, the link, its label, and its place in the page.
 */
const EXAMINED_MAX = 700;

/**
 * Number of neighbouring positions that a search covers. It bounds the work for terms that are frequent, but never
 * together: the index passes over 300,000 links in about 20 ms.
 */
const SEARCHED_POSITIONS = 500_000;

/** Page of a list of links, newest first. */
export interface LinkPage {
  links: Link[];
  /** Number of links in the list, or a lower bound of it if `isTotalCapped`. */
  total: number;
  isTotalCapped: boolean;
  /** Value of `before` for the next page, null at the end. A page can have fewer links than asked for before it. */
  nextBefore: string | null;
}

/** Returns a page of the workspace's links. Its cost does not depend on the number of links. */
export async function listLinks(tenant: Tenant, filter: LinkFilter, page: ListPage): Promise<LinkPage> {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  return isFiltered ? listMatching(tenant, filter, page) : listAll(tenant, page);
}

async function listAll(tenant: Tenant, { limit, offset, before }: ListPage): Promise<LinkPage> {
  const { db, workspace } = tenant;
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(links)
      .where(and(eq(links.workspaceId, workspace.id), olderThan(links.id, before)))
      .orderBy(desc(links.id))
      .limit(limit + 1)
      .offset(offset),
    selectLinkCount(tenant),
  ]);
  const found = rows.slice(0, limit);
  return {
    links: found,
    total: counted?.total ?? 0,
    isTotalCapped: false,
    nextBefore: rows.length > limit ? (found.at(-1)?.id ?? null) : null,
  };
}

/** Returns the workspace's links that are older than the given one, newest first: one step of a walk over all links. */
export async function listLinksBefore(
  { db, workspace }: Tenant,
  beforeId: string | undefined,
  limit: number,
): Promise<Link[]> {
  return db
    .select()
    .from(links)
    .where(and(eq(links.workspaceId, workspace.id), olderThan(links.id, beforeId)))
    .orderBy(desc(links.id))
    .limit(limit);
}

/** Ordered rows of an index that a filtered list examines, newest first. */
interface Candidates {
  /** Common table expressions that the others refer to. */
  tables: SQL[];
  /** Select of the `key` of each candidate, in descending order. */
  select: SQL;
  /** Expression for the key from which on links were examined. Null if there is no older candidate. */
  reached: SQL;
  /** Expression for the id of a link that stands at the key `reached`, or next before it. */
  reachedId: SQL;
  /** Column of `links` that the key is compared with. Absent if the key is the id of a link that needs no comparison. */
  column: typeof links.position | typeof links.id | null;
  /** Conditions for a candidate that matches, besides the workspace. */
  conditions: (SQL | undefined)[];
}

/** Returns a page of the links that match a filter. It examines at most {@link EXAMINED_MAX} candidates. */
async function listMatching(tenant: Tenant, filter: LinkFilter, page: ListPage): Promise<LinkPage> {
  const { limit, offset, before } = page;
  const found = sql`(${selectPage(tenant, findCandidates(tenant, filter, before), page)}) as found`;
  const query = tenant.db
    .select({
      total: sql<number>`found.total`,
      reachedId: sql<string | null>`found.reached_id`,
      link: getTableColumns(links),
    })
    .from(found)
    .leftJoin(links, sql`${links.id} = found.id`)
    .orderBy(sql`found.place`);
  // A batch, because D1 tells the rows that it read only for batches, and tests bound them.
  const [rows] = await tenant.db.batch([query]);
  const matching = rows.flatMap(({ link }) => (link === null ? [] : [link]));
  const { total = 0, reachedId = null } = rows[0] ?? {};
  const isMore = total > offset + matching.length && matching.length === limit;
  return {
    links: matching,
    total,
    isTotalCapped: before !== undefined || reachedId !== null,
    nextBefore: isMore ? (matching.at(-1)?.id ?? null) : reachedId,
  };
}

/**
 * Returns the select of a page's ids with their places, each row with the total and the end of what was examined. The ids
 * of all matching links are collected in one array, since D1 counts every pass over an intermediate result as rows read.
 */
function selectPage(tenant: Tenant, candidates: Candidates, { limit, offset }: ListPage): SQL {
  const { tables, select, reached, reachedId, column, conditions } = candidates;
  const matches = and(
    eq(column ?? links.id, sql`key`),
    eq(links.workspaceId, tenant.workspace.id),
    ...conditions,
  );
  const examined = sql`select count(*) as count, min(key) as last, count(id) as total,
        json_group_array(id order by key desc) filter (where id is not null) as ids
      from (select key, ${column === null ? sql`key` : links.id} as id
              from (${select} limit ${EXAMINED_MAX}) as candidates
              ${column === null ? sql`` : sql`left join ${links} on ${matches}`})`;
  const withTables = [...tables, sql`examined as materialized (${examined})`];
  return sql`with ${sql.join(withTables, sql`, `)}
    select counted.total, counted.reached_id, page.value as id, page.key as place
      from (select total, (select ${reachedId} from (select ${reached} as key) as reached where key is not null) as reached_id
              from examined) as counted
      left join (select item.key, item.value from examined, json_each(examined.ids) as item
                  limit ${limit} offset ${offset}) as page on true`;
}

/** Expression for the key of the last candidate, or null if there were fewer than a list examines. */
const lastKey = sql`(select iif(count = ${EXAMINED_MAX}, last, null) from examined)`;

/** Returns the candidates of the index that selects best: of the search, of the label, or of the state. */
function findCandidates(
  tenant: Tenant,
  { search, label, enabled }: LinkFilter,
  before: string | undefined,
): Candidates {
  const hasState = enabled === undefined ? undefined : sql`${links.enabled} = ${enabled ? 1 : 0}`;
  if (search !== undefined) {
    return findBySearch(tenant, search, before, [
      hasState,
      label === undefined ? label : hasLabel(tenant, label),
    ]);
  }
  const byId = { tables: [], reached: lastKey, reachedId: sql`key`, column: links.id };
  if (label !== undefined) {
    const older = olderThan(linkLabels.linkId, before);
    const labelled = and(eq(linkLabels.workspaceId, tenant.workspace.id), eq(linkLabels.label, label), older);
    const select = sql`select ${linkLabels.linkId} as key from ${linkLabels} where ${labelled} order by key desc`;
    return hasState
      ? { ...byId, select, conditions: [hasState] }
      : { ...byId, select, column: null, conditions: [] };
  }
  const inWorkspace = and(eq(links.workspaceId, tenant.workspace.id), olderThan(links.id, before));
  const select = (condition: SQL | undefined) =>
    sql`select ${links.id} as key from ${links} where ${condition} order by ${links.id} desc`;
  // The literal 0 lets SQLite use the index of disabled links.
  return enabled === false
    ? { ...byId, select: select(and(inWorkspace, sql`${links.enabled} = 0`)), column: null, conditions: [] }
    : { ...byId, select: select(inWorkspace), conditions: [hasState] };
}

function hasLabel({ workspace }: Tenant, label: string): SQL {
  const labelled = and(
    eq(linkLabels.workspaceId, workspace.id),
    eq(linkLabels.label, label),
    eq(linkLabels.linkId, links.id),
  );
  return sql`exists (select 1 from ${linkLabels} where ${labelled})`;
}

/** Returns the links that have the terms of a search, among the {@link SEARCHED_POSITIONS} before the cursor. */
function findBySearch(
  { workspace }: Tenant,
  text: string,
  before: string | undefined,
  conditions: (SQL | undefined)[],
): Candidates {
  const { needle, isStart, terms } = prepareSearch(text);
  const isFound = isStart
    ? sql`substr(${links.codeKey}, 1, length(${needle})) = ${needle}`
    : sql`(instr(${links.codeKey}, ${needle}) > 0
           or instr(lower(substr(${links.destination}, 1, ${SEARCHED_CHARACTERS})), ${needle}) > 0)`;
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
    column: links.position,
    conditions: [isFound, ...conditions],
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
