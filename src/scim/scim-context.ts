import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import type { Change } from "../audit/describe-changes.ts";
import { logDirectoryChange } from "../audit/directory-log.ts";
import type { LogContext } from "../audit/insert-entries.ts";
import type { Database } from "../db/database.ts";
import { createSuspendedError } from "../safety/suspension.ts";
import type { PlanName } from "../tenant/plans.ts";
import { createBudgetError, isBudgetExceeded } from "../tenant/write-budget.ts";
import { ScimError } from "./scim-error.ts";

/** Context of a SCIM request: the token that acts, its workspace and the time. */
export interface ScimContext extends LogContext {
  workspace: { id: string; plan: PlanName };
  /** True if an administrator has suspended the workspace. People can still be removed then. */
  isSuspended: boolean;
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
 * statements. All changes by identity providers go through this function. Throws 429 if the changes of a day
 * exceed the plan's budget, and 403 if the workspace is suspended and the change is no removal.
 */
export async function commitChange<Statements extends [Statement, ...Statement[]]>(
  context: ScimContext,
  { before = [], after = [] }: LoggedChanges,
  statements: Statements,
): Promise<BatchResponse<Statements>> {
  if (context.isSuspended && ![...before, ...after].every(({ isAlwaysAllowed }) => isAlwaysAllowed))
    throw new ScimError(403, null, createSuspendedError().message);
  const log = (change: Change) => logDirectoryChange(context, change);
  const batch = [...before.map(log), ...statements, ...after.map(log)] as unknown as Statements;
  const results: unknown[] = await context.directory.batch(batch).catch((error) => {
    if (!isBudgetExceeded(error)) throw error;
    const { message, headers } = createBudgetError(context.workspace, context.nowMs);
    throw new ScimError(429, null, message, headers);
  });
  return results.slice(before.length, before.length + statements.length) as BatchResponse<Statements>;
}
