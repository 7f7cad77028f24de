import { type SQL, sql } from "drizzle-orm";
import { createValidationError } from "../core/error.ts";
import type { Database } from "../db/database.ts";
import { rawQuery } from "../db/raw-query.ts";
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
  const names = JSON.stringify([...new Set(urls.flatMap(listHostNames))]);
  const [rows] = await db.batch([selectBlocked(db, sql`select value as name from json_each(${names})`)]);
  return readBlocked(rows);
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
