import { and, eq, type SQL, sql } from "drizzle-orm";
import { createValidationError } from "../core/error.ts";
import type { Database } from "../db/database.ts";
import { inJson } from "../db/in-json.ts";
import { rawQuery } from "../db/raw-query.ts";
import type { Settings } from "../env.ts";
import { getHostOnOwnPort } from "../tenant/own-hosts.ts";
import { ownHosts } from "../tenant/tenant.table.ts";
import { blockedHosts } from "./blocked-hosts.table.ts";
import { findBlockedName, listHostNames, selectBlockedNames } from "./host-names.ts";

/** Returns the statement for the blocked names of the hosts that a subquery selects as `name`. */
export function selectBlocked(db: Database, hosts: SQL) {
  const [before, after] = selectBlockedNames("?").split("?") as [string, string];
  return rawQuery<{ names: string }>(db, sql`select ${sql.raw(before)}${hosts}${sql.raw(after)} as names`);
}

/** Reads the result of {@link selectBlocked}. */
export function readBlocked(rows: readonly { names: string }[]): Set<string> {
  return new Set(JSON.parse(rows[0]?.names ?? "[]") as string[]);
}

/** Returns the blocked names of some URLs. */
export async function findBlockedNames(db: Database, urls: readonly URL[]): Promise<Set<string>> {
  const found = await selectNames(db, urls);
  return new Set(found.map(({ hostname }) => hostname));
}

/** Hosts to which redirects aren't allowed. */
export interface RefusedHosts {
  /** Hosts that workspaces added. */
  own: ReadonlySet<string>;
  /** Names that an administrator blocked. */
  blocked: ReadonlySet<string>;
}

/** Returns which hosts of some URLs are refused, with one statement. */
export async function findRefusedHosts(
  db: Database,
  settings: Settings,
  urls: readonly URL[],
): Promise<RefusedHosts> {
  const hosts = [...new Set(urls.map((url) => getHostOnOwnPort(settings, url)))];
  const own = db
    .select({ hostname: ownHosts.hostname, isBlocked: sql<number>`0`.as("is_blocked") })
    .from(ownHosts)
    .where(inJson(ownHosts.hostname, hosts));
  const found = await own.unionAll(selectNames(db, urls));
  const listNames = (isBlocked: number) =>
    new Set(found.filter((row) => row.isBlocked === isBlocked).map(({ hostname }) => hostname));
  return { own: listNames(0), blocked: listNames(1) };
}

function selectNames(db: Database, urls: readonly URL[]) {
  return db
    .select({ hostname: blockedHosts.hostname, isBlocked: sql<number>`1`.as("is_blocked") })
    .from(blockedHosts)
    .where(
      and(
        inJson(blockedHosts.hostname, [...new Set(urls.flatMap(listHostNames))]),
        eq(blockedHosts.isBlocked, true),
      ),
    );
}

/** Throws `VALIDATION_ERROR` if URLs of fields are on blocked hosts. */
export function rejectBlockedUrls(
  blocked: ReadonlySet<string>,
  fields: readonly { field: string; url: URL }[],
): void {
  const [first, ...others] = fields.flatMap(({ field, url }) => {
    const name = findBlockedName(blocked, url);
    return name === undefined ? [] : [{ field, message: `must not be on ${name}, which is blocked` }];
  });
  if (first !== undefined) throw createValidationError(first, ...others);
}
