import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { Change } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import type { LogContext } from "../audit/insert-entries.ts";
import type { Database } from "../db/database.ts";

/** Context of a SCIM request: the token that acts, its workspace and the time. */
export interface ScimContext extends LogContext {
  directory: Database;
  /** Base URL of SCIM, without a trailing slash. */
  baseUrl: string;
  /** Domains of email addresses that the administrator has vouched for. */
  emailDomains: readonly string[];
}

export type Statement = BatchItem<"sqlite">;

/**
 * Log entries of a change: entries written before it, and entries for created resources, written after it.
 */
interface LoggedChanges {
  before?: readonly Change[];
  after?: readonly Change[];
}

/**
 * Commits a change of a user or group and its log entries in one transaction, and returns the results of the
 * statements. All changes by identity providers go through this function.
 */
export async function commitChange<Statements extends [Statement, ...Statement[]]>(
  context: ScimContext,
  { before = [], after = [] }: LoggedChanges,
  statements: Statements,
): Promise<BatchResponse<Statements>> {
  const log = (change: Change) => logDirectoryChange(context, change);
  const batch = [...before.map(log), ...statements, ...after.map(log)] as unknown as Statements;
  const results: unknown[] = await context.directory.batch(batch);
  return results.slice(before.length, before.length + statements.length) as BatchResponse<Statements>;
}
