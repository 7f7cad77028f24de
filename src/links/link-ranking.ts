import { and, eq, lt, type SQL, sql } from "drizzle-orm";
import { isUuid } from "../core/id.ts";
import type { Tenant } from "../tenant/tenant.ts";
import { type Candidates, EXAMINED_MAX, lastKey, listConditions } from "./link-candidates.ts";
import { type LinkFilter, type LinkSort, RANK_DIGITS } from "./links.schema.ts";
import { type Link, links } from "./links.table.ts";

/**
 * Orders of lists sorted by scans. The orders use columns that triggers rarely change (see `links.table.ts`).
 * The indexes of these columns only contain links with scans. Links without scans come last, newest first.
 */

type RankedSort = Exclude<LinkSort, "created_at">;

const ID_LENGTH = 36;

/**
 * Column of each order, its condition for scanned links, and the exact value that the column approximates.
 */
const RANKS = {
  scan_count: {
    column: links.rankedScanCount,
    // Must match the indexes' conditions, so that SQLite uses the indexes.
    isScanned: sql`${links.rankedScanCount} > 0`,
    read: (link: Link) => link.rankedScanCount,
    readExact: (link: Link) => link.scanCount,
  },
  last_scan_at: {
    column: links.rankedScanAt,
    isScanned: sql`${links.rankedScanAt} is not null`,
    read: (link: Link) => link.rankedScanAt ?? 0,
    readExact: (link: Link) => link.lastScanAt ?? 0,
  },
} as const satisfies Record<RankedSort, object>;

/** Position in a sorted list. The next link has a lower rank, or the same rank and a lower id. */
export interface RankCursor {
  rank: number;
  id: string;
}

/** Returns the cursor for a link. The list continues there even if the link has moved or been deleted. */
export function formatRank(link: Link, sort: RankedSort): string {
  return `${String(RANKS[sort].read(link)).padStart(RANK_DIGITS, "0")}.${link.id}`;
}

/** Parses the cursor of a sorted list. Returns null for other cursors. */
export function parseRank(cursor: string): RankCursor | null {
  const [rank = "", id = ""] = cursor.split(".");
  return rank.length === RANK_DIGITS && isUuid(id) ? { rank: Number(rank), id } : null;
}

/** Sorts a page's links by their exact scan count or time of the last scan. */
export function sortByRank(page: readonly Link[], sort: RankedSort): Link[] {
  const { readExact } = RANKS[sort];
  return page.toSorted((one, other) => readExact(other) - readExact(one) || (one.id < other.id ? 1 : -1));
}

/**
 * Returns the candidates of a sorted list: scanned links by rank, then all links by age. The conditions drop
 * scanned links from the second part. Keys are cursors.
 */
export function findRanked(
  tenant: Tenant,
  filter: LinkFilter,
  sort: RankedSort,
  cursor: RankCursor | undefined,
): Candidates {
  const { column, isScanned } = RANKS[sort];
  const inWorkspace = eq(links.workspaceId, tenant.workspace.id);
  const isBelow = cursor && sql`(${column}, ${links.id}) < (${cursor.rank}, ${cursor.id})`;
  const isOlder = cursor?.rank === 0 ? lt(links.id, cursor.id) : undefined;
  const formatKey = (rank: SQL) => sql`printf('%0${sql.raw(String(RANK_DIGITS))}d.%s', ${rank}, ${links.id})`;
  const scanned = sql`select ${formatKey(sql`${column}`)} as key from ${links}
    where ${and(inWorkspace, isScanned, isBelow)} order by ${column} desc, ${links.id} desc limit ${EXAMINED_MAX}`;
  const others = sql`select ${formatKey(sql`0`)} as key from ${links}
    where ${and(inWorkspace, isOlder)} order by ${links.id} desc limit ${EXAMINED_MAX}`;
  const isPlaced = sql`(cast(key as integer) > 0 or not (${isScanned}))`;
  return {
    tables: [],
    select: sql`select * from (${scanned}) union all select * from (${others})`,
    reached: lastKey,
    reachedId: sql`key`,
    match: sql`${links.id} = substr(key, ${-ID_LENGTH})`,
    conditions: [isPlaced, ...listConditions(tenant, filter)],
  };
}
