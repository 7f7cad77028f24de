import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import type { MovePhase } from "./move-phase.ts";

/** Moves of workspaces from shard to shard. A finished one is kept as long as the parts of its scans are remembered. */
export const workspaceMoves = sqliteTable(
  "workspace_moves",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    workspaceId: text("workspace_id")
      .notNull()
      .references(() => workspaces.id),
    fromShard: integer("from_shard").notNull(),
    toShard: integer("to_shard").notNull(),
    phase: text().$type<MovePhase>().notNull(),
    /** Number of runs of movers. A run writes only as long as no later one has begun. */
    runs: integer().notNull().default(0),
    /** Time until which the last run owns the move. */
    leaseUntil: integer("lease_until").notNull().default(0),
    /** Work of the last run, for people. */
    progress: text().notNull().default(""),
    requestedAt: integer("requested_at").notNull(),
    /** Time from which the target serves the workspace. */
    movedAt: integer("moved_at"),
  },
  (table) => [
    uniqueIndex("workspace_moves_unfinished").on(table.workspaceId).where(sql`${table.phase} <> 'done'`),
    index("workspace_moves_workspace").on(table.workspaceId),
  ],
);
