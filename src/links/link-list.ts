import { and, desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { createValidationError } from "../core/error.ts";
import { type ListPage, olderThan } from "../db/list-page.ts";
import { PAGE_BYTES_MAX, withinPageBytes } from "../db/page-bytes.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { selectLinkCount } from "../tenant/usage.ts";
import { byArchived, type Candidates, EXAMINED_MAX, findCandidates } from "./link-candidates.ts";
import { findRanked, formatRank, parseRank, sortByRank } from "./link-ranking.ts";
import { type PresentedLink, UNPRESENTED_COLUMNS } from "./link-response.ts";
import type { LinkFilter } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";

/** Page of a list of links. */
export interface LinkPage {
  links: Link[];
  /** Number of links in the list. Only a lower bound if `isTotalCapped`. */
  total: number;
  isTotalCapped: boolean;
  /**
   * Value of `before` for the next page, or null at the end. A page may have fewer links than requested even
   * if more follow.
   */
  nextBefore: string | null;
  /** Returns the `before` for the page after a link, if it isn't the link's id. */
  cursorAt?: (index: number) => string | null;
}

/** Size of a link's large fields, which responses contain unchanged. */
const LINK_BYTES = sql`(octet_length(${links.destination}) + octet_length(${links.routingRules})
  + octet_length(${links.labels}) + coalesce(octet_length(${links.earlyUrl}), 0)
  + coalesce(octet_length(${links.expiredUrl}), 0) + coalesce(octet_length(${links.preview}), 0)
  + coalesce(octet_length(${links.note}), 0))`;

/**
 * Returns a page of the workspace's links. The cost doesn't depend on the number of links. Throws
 * `VALIDATION_ERROR`.
 */
export async function listLinks(tenant: Tenant, filter: LinkFilter, page: ListPage): Promise<LinkPage> {
  const { sort, archived, ...others } = filter;
  const isFiltered = Object.values(others).some((value) => value !== undefined);
  for (const name of ["codes", "external_id"] as const) {
    if (sort !== "created_at" && filter[name] !== undefined)
      throw createValidationError({ field: "sort", message: `must not be combined with \`${name}\`` });
  }
  if (sort !== "created_at") return listRanked(tenant, filter, page, isFiltered);
  if (page.before?.includes(".")) throw createCursorError();
  return isFiltered ? listMatching(tenant, filter, page) : listAll(tenant, archived, page);
}

function createCursorError() {
  const message = "must be the `next_before` of a list in the same order";
  return createValidationError({ field: "before", message });
}

async function listAll(
  tenant: Tenant,
  archived: LinkFilter["archived"],
  { limit, offset, before }: ListPage,
): Promise<LinkPage> {
  const { db, workspace } = tenant;
  const listed = and(eq(links.workspaceId, workspace.id), byArchived(archived), olderThan(links.id, before));
  const [rows, [counted]] = await db.batch([
    db
      .select()
      .from(links)
      .where(and(listed, withinLinkBytes(listed, limit + 1, offset)))
      .orderBy(desc(links.id))
      .limit(limit + 1)
      .offset(offset),
    selectLinkCount(tenant),
  ]);
  const found = rows.slice(0, limit);
  return {
    links: found,
    total: countListed(counted, archived),
    isTotalCapped: false,
    nextBefore: rows.length > limit ? (found.at(-1)?.id ?? null) : null,
  };
}

/** Returns the condition for the first of the listed links that together fit on a page. */
function withinLinkBytes(listed: SQL | undefined, limit: number, offset: number, bytesMax?: number): SQL {
  return withinPageBytes(
    sql`${links.id}`,
    sql`select ${links.id} as id, ${LINK_BYTES} as bytes from ${links} where ${listed}
         order by ${links.id} desc limit ${limit} offset ${offset}`,
    bytesMax,
  );
}

/** Returns the number of links in a list that is filtered only by `archived`. */
function countListed(
  { total, archived: archivedTotal } = { total: 0, archived: 0 },
  archived: LinkFilter["archived"],
): number {
  if (archived === "all") return total;
  return archived === "true" ? archivedTotal : total - archivedTotal;
}

/** Maximum number of links in a batch, and bytes after which it ends. */
const BATCH_LINKS = 500;
const BATCH_BYTES = 262_144;

const PRESENTED_COLUMNS = Object.entries(getTableColumns(links)).filter(
  ([name]) => !UNPRESENTED_COLUMNS.includes(name as never),
);
const BATCH_COLUMNS = { ...Object.fromEntries(PRESENTED_COLUMNS), bytes: sql`${LINK_BYTES}` };
const ID_INDEX = PRESENTED_COLUMNS.findIndex(([name]) => name === "id");

/** Row of a batch, which {@link decodeLink} converts to a link. */
export type LinkRow = readonly unknown[];

/** Links that are read together when all links of a workspace are read. */
export interface LinkBatch {
  rows: readonly LinkRow[];
  /** Id to continue with, or null if there are no further links. */
  nextBefore: string | null;
}

/**
 * Returns the workspace's newest links, or those older than the given link. Leaves out Drizzle's conversion of all
 * rows, during which the isolate could do no other work.
 */
export async function listBatch({ db, workspace }: Tenant, beforeId: string | undefined): Promise<LinkBatch> {
  const listed = and(eq(links.workspaceId, workspace.id), olderThan(links.id, beforeId));
  const rows: unknown[][] = await db
    .select(BATCH_COLUMNS)
    .from(links)
    .where(and(listed, withinLinkBytes(listed, BATCH_LINKS, 0, BATCH_BYTES)))
    .orderBy(desc(links.id))
    .limit(BATCH_LINKS)
    .values();
  const bytes = rows.reduce((sum, row) => sum + (row.at(-1) as number), 0);
  const isFull = rows.length === BATCH_LINKS || bytes > BATCH_BYTES;
  return { rows, nextBefore: isFull ? (rows.at(-1)?.[ID_INDEX] as string) : null };
}

/** Converts a row of a batch to a link. */
export function decodeLink(row: LinkRow): PresentedLink {
  const link: Record<string, unknown> = {};
  for (const [index, [name, column]] of PRESENTED_COLUMNS.entries()) {
    const value = row[index];
    link[name] = value === null ? null : column.mapFromDriverValue(value);
  }
  return link as PresentedLink;
}

/** Returns a page of links that match a filter. Examines at most {@link EXAMINED_MAX} candidates. */
async function listMatching(tenant: Tenant, filter: LinkFilter, page: ListPage): Promise<LinkPage> {
  const { limit, offset, before } = page;
  const { matching, total, reachedId } = await findMatching(
    tenant,
    findCandidates(tenant, filter, before),
    page,
  );
  const isMore = total > offset + matching.length && matching.length === limit;
  return {
    links: matching,
    total,
    isTotalCapped: before !== undefined || reachedId !== null,
    nextBefore: isMore ? (matching.at(-1)?.id ?? null) : reachedId,
  };
}

/**
 * Returns a page of a list sorted by scans. The cursor contains the last link's rank (its sorted column)
 * besides its id, because a link's rank may change.
 */
async function listRanked(
  tenant: Tenant,
  filter: LinkFilter,
  page: ListPage,
  isFiltered: boolean,
): Promise<LinkPage> {
  const { sort, archived } = filter;
  const { limit, offset, before } = page;
  const cursor = before === undefined ? undefined : parseRank(before);
  if (cursor === null || sort === "created_at") throw createCursorError();
  const candidates = findRanked(tenant, filter, sort, cursor);
  const [{ matching, total, reachedId }, [counted]] = await Promise.all([
    findMatching(tenant, candidates, page),
    isFiltered ? [] : selectLinkCount(tenant),
  ]);
  const last = matching.at(-1);
  const isMore = total > offset + matching.length && matching.length === limit;
  const sorted = sortByRank(matching, sort);
  return {
    links: sorted,
    // Links of the page can differ in order from their ranks. The next page begins with the first rank that was
    // left out, so it can repeat links.
    cursorAt: (index) => {
      const left = new Set(sorted.slice(index + 1));
      const preceding = matching[matching.findIndex((link) => left.has(link)) - 1] ?? sorted[index];
      return preceding === undefined ? null : formatRank(preceding, sort);
    },
    total: isFiltered ? total : countListed(counted, archived),
    isTotalCapped: isFiltered && (before !== undefined || reachedId !== null),
    nextBefore: isMore && last !== undefined ? formatRank(last, sort) : reachedId,
  };
}

/**
 * Returns a page's links, the number of matching candidates, and the cursor from which candidates are left.
 */
async function findMatching(tenant: Tenant, candidates: Candidates, page: ListPage) {
  const earlier = sql`sum(${LINK_BYTES}) over (order by page.place) - ${LINK_BYTES}`;
  const found = sql`(select page.*, ${earlier} as earlier
    from (${selectPage(tenant, candidates, page)}) as page left join ${links} on ${links.id} = page.id) as found`;
  const query = tenant.db
    .select({
      total: sql<number>`found.total`,
      reachedId: sql<string | null>`found.reached_id`,
      link: getTableColumns(links),
    })
    .from(found)
    .leftJoin(links, sql`${links.id} = found.id and found.earlier <= ${PAGE_BYTES_MAX}`)
    .orderBy(sql`found.place`);
  // Uses a batch, because D1 reports the number of rows read only for batches, and tests check this number.
  const [rows] = await tenant.db.batch([query]);
  const matching = rows.flatMap(({ link }) => (link === null ? [] : [link]));
  const { total = 0, reachedId = null } = rows[0] ?? {};
  return { matching, total, reachedId };
}

/**
 * Returns the statement that selects a page's ids with their order. Each row also has the total and the
 * cursor up to which links were examined. Collects all matching ids in one array, because D1 counts each pass
 * over an intermediate result as rows read.
 */
function selectPage(tenant: Tenant, candidates: Candidates, { limit, offset }: ListPage): SQL {
  const { tables, select, reached, reachedId, match, conditions } = candidates;
  const matches = and(match ?? undefined, eq(links.workspaceId, tenant.workspace.id), ...conditions);
  const examined = sql`select count(*) as count, min(key) as last, count(id) as total,
        json_group_array(id order by key desc) filter (where id is not null) as ids
      from (select key, ${match === null ? sql`key` : links.id} as id
              from (${select} limit ${EXAMINED_MAX}) as candidates
              ${match === null ? sql`` : sql`left join ${links} on ${matches}`})`;
  const withTables = [...tables, sql`examined as materialized (${examined})`];
  return sql`with ${sql.join(withTables, sql`, `)}
    select counted.total, counted.reached_id, page.value as id, page.key as place
      from (select total, (select ${reachedId} from (select ${reached} as key) as reached where key is not null) as reached_id
              from examined) as counted
      left join (select item.key, item.value from examined, json_each(examined.ids) as item
                  limit ${limit} offset ${offset}) as page on true`;
}
