import { and, eq, lte, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { ApiError } from "../core/error.ts";
import type { Database } from "../db/database.ts";
import { deleteSome } from "../db/delete-some.ts";
import { heldNames } from "./held-names.directory.table.ts";
import { HELD_MS } from "./reserved-names.ts";

/**
 * Names that workspaces used. A trigger on `domains` holds hosts when they are removed; slugs of bio pages are
 * held here.
 */

/** Maximum number of names held for a workspace, so that a workspace can't take thousands of names from others. */
export const NAMES_MAX = 1_000;

/** Returns the name under which the slug of a bio page is held. */
export function formatSlugName(slug: string): string {
  return `/${slug}`;
}

/**
 * Returns the condition that a workspace can't have a name, because another workspace used it or because an
 * administrator reserved it.
 */
export function isHeld(name: string | SQLWrapper, workspaceId: string | SQLWrapper): SQL {
  return sql`exists (select 1 from ${heldNames}
                      where ${heldNames.name} = ${name} and ${heldNames.rule} <> 'allowed'
                        and ${heldNames.workspaceId} is not ${workspaceId})`;
}

/** Returns the condition that the table says something about a name, whatever `reserved-names.ts` says. */
export function hasRule(name: string): SQL {
  return sql`exists (select 1 from ${heldNames} where ${heldNames.name} = ${name})`;
}

/** Returns the statement that holds names for workspaces. `rows` selects names and workspace ids. */
export function holdNames(directory: Database, rows: SQL, nowMs: number) {
  return directory
    .insert(heldNames)
    .select(
      sql`select name, 'used', workspace_id, cast(${nowMs + HELD_MS} as integer) from (${rows}) where true`,
    )
    .onConflictDoUpdate({
      target: heldNames.name,
      set: {
        rule: sql`excluded.rule`,
        workspaceId: sql`excluded.workspace_id`,
        heldUntil: sql`excluded.held_until`,
      },
      setWhere: sql`${heldNames.rule} <> 'reserved'`,
    });
}

/** Returns the statement that releases the oldest names of a workspace that has more than {@link NAMES_MAX}. */
export function trimHeldNames(directory: Database, workspaceId: string) {
  const owned = eq(heldNames.workspaceId, workspaceId);
  const oldestKept = sql`(select ${heldNames.heldUntil} from ${heldNames} where ${owned}
                           order by ${heldNames.heldUntil} desc limit 1 offset ${NAMES_MAX - 1})`;
  return directory.delete(heldNames).where(and(owned, sql`${heldNames.heldUntil} < ${oldestKept}`));
}

/** Returns the error for a name that {@link isHeld}. `what` is shown to the caller. */
export function createHeldError(code: "DOMAIN_TAKEN" | "SLUG_TAKEN", what: string): ApiError {
  return new ApiError(
    code,
    `${what} was used by another workspace and is kept for it for a year. The administrator of this service can release it.`,
  );
}

/** Releases the names whose time is over. Called by the cron. */
export async function sweepHeldNames(directory: Database, nowMs: number): Promise<void> {
  await deleteSome(directory, heldNames, [heldNames.name], lte(heldNames.heldUntil, nowMs));
}
