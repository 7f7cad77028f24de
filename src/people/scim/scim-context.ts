import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { Change } from "../../audit/describe-changes.ts";
import { logDirectoryChange } from "../../audit/directory-log.ts";
import type { LogContext } from "../../audit/insert-entries.ts";
import type { Database } from "../../db/database.ts";

/** Token that acts in a request of an identity provider, with the place and the time. */
export interface ScimContext extends LogContext {
  directory: Database;
  /** Address of SCIM, without a slash at its end. */
  baseUrl: string;
}

/** Statement of a batch. */
export type Statement = BatchItem<"sqlite">;

/** Entries of a change in the log: those that are written before it, and those of resources that it creates. */
interface LoggedChanges {
  before?: readonly Change[];
  after?: readonly Change[];
}

/**
 * Commits a change of a user or a group together with its entries in the log, as one transaction, and returns the results of
 * the statements. Every change by an identity provider passes here.
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
