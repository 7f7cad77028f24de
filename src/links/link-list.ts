import { and, desc, eq, getTableColumns, lt, type SQL, sql } from "drizzle-orm";
import type { Tenant } from "../tenant/tenant.ts";
import { selectLinkCount } from "../tenant/usage.ts";
import type { LinkFilter } from "./links.schema.ts";
import { type Link, linkLabels, links, POSITION_BITS } from "./links.table.ts";
import { prepareSearch, SEARCHED_CHARACTERS } from "./search-terms.ts";

/**
 * Maximum number of links that a filtered list examines. A list reads up to four rows for each: its term or label, the
 * entry of an index, the link, and a label to compare.
 */
const EXAMINED_MAX = 1_000;

/**
 * Number of neighbouring positions that a search covers. It bounds the work for terms that are frequent, but never
 * together: the index passes over 300,000 links in about 20 ms.
 */
const SEARCHED_POSITIONS = 500_000;

/** Part of a list to return. */
export interface ListPage {
  limit: number;
  /** Number of links to skip. */
  offset: number;
  /** Id of the link that the list continues after. */
  before?: string | undefined;
}

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
      .where(and(eq(links.workspaceId, workspace.id), olderThan(before)))
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
    .where(and(eq(links.workspaceId, workspace.id), olderThan(beforeId)))
    .orderBy(desc(links.id))
    .limit(limit);
}

function olderThan(id: string | undefined): SQL | undefined {
  return id === undefined ? undefined : lt(links.id, id);
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
  const rows = await tenant.db
    .select({
      total: sql<number>`found.total`,
      reachedId: sql<string | null>`found.reached_id`,
      link: getTableColumns(links),
    })
    .from(found)
    .leftJoin(links, sql`${links.id} = found.id`)
    .orderBy(sql`found.key desc`);
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

/** Returns the select of a page's ids and keys, each with the total and the end of what was examined. */
function selectPage(tenant: Tenant, candidates: Candidates, { limit, offset }: ListPage): SQL {
  const { tables, select, reached, reachedId, column, conditions } = candidates;
  const condition = and(eq(links.workspaceId, tenant.workspace.id), ...conditions);
  const matching =
    column === null
      ? sql`select key, key as id from candidates`
      : sql`select key, ${links.id} as id from candidates cross join ${links} on ${column} = key where ${condition}`;
  const withTables = sql.join(
    [
      ...tables,
      sql`candidates as materialized (${select} limit ${EXAMINED_MAX})`,
      sql`matching as materialized (${matching})`,
      sql`reached as materialized (select ${reached} as key)`,
    ],
    sql`, `,
  );
  return sql`with ${withTables}
    select counted.total, counted.reached_id, page.id, page.key
      from (select (select count(*) from matching) as total,
                   (select ${reachedId} from reached where key is not null) as reached_id) as counted
      left join (select id, key from matching order by key desc limit ${limit} offset ${offset}) as page on true`;
}

/** Expression for the key of the last candidate, or null if there were fewer than a list examines. */
const lastKey = sql`(select iif(count(*) = ${EXAMINED_MAX}, min(key), null) from candidates)`;

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
    const older = before === undefined ? undefined : lt(linkLabels.linkId, before);
    const labelled = and(eq(linkLabels.workspaceId, tenant.workspace.id), eq(linkLabels.label, label), older);
    const select = sql`select ${linkLabels.linkId} as key from ${linkLabels} where ${labelled} order by key desc`;
    return hasState
      ? { ...byId, select, conditions: [hasState] }
      : { ...byId, select, column: null, conditions: [] };
  }
  const inWorkspace = and(eq(links.workspaceId, tenant.workspace.id), olderThan(before));
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
  const position = sql.raw("position");
  const inWorkspace = sql`${position} between low and high`;
  const isOlder =
    before === undefined ? sql`true` : sql`${position} < ${positionAfter(workspace.id, before)}`;
  const range = sql`select low, terms,
      coalesce((select max(position) from links where ${inWorkspace} and ${isOlder}), low) as newest
    from (select number << ${integer(POSITION_BITS)} as low,
                 ((number + 1) << ${integer(POSITION_BITS)}) - 1 as high,
                 (select group_concat('"' || printf('%xz', number) || value || '"', ' AND ')
                    from json_each(${JSON.stringify(terms)})) as terms
            from workspaces where id = ${workspace.id})`;
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
