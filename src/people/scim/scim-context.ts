import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "../../db/database.ts";
import type { Actor } from "../../tenant/actor.ts";

/** Who acts in a request of an identity provider, where and when. */
export interface ScimContext {
  directory: Database;
  workspace: { id: string };
  actor: Actor;
  nowMs: number;
  requestId: string;
  /** Address of SCIM, without a slash at its end. */
  baseUrl: string;
}

/** Statement of a batch. */
export type Statement = BatchItem<"sqlite">;

/**
 * Commits a change of a user or a group. Every change by an identity provider passes here, as one transaction: what must be
 * written with each of them belongs into this batch.
 */
export function commitChange<Statements extends [Statement, ...Statement[]]>(
  { directory }: ScimContext,
  statements: Statements,
) {
  return directory.batch(statements);
}
