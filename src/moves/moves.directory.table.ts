import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { workspaces } from "../tenant/workspaces.directory.table.ts";
import type { MovePhase } from "./move-phase.ts";

/**
 * Moves of workspaces between shards. A finished move is kept as long as the ids of counted slices (parts of
 * scan messages) are remembered, so that scans from before the move count only once.
 */
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
    /** Number of runs so far. A run may only write while it is the latest. */
    runs: integer().notNull().default(0),
    /** Time until which the latest run has claimed the move. */
    leaseUntil: integer("lease_until").notNull().default(0),
    /** Description of the current step, shown to administrators. */
    progress: text().notNull().default(""),
    requestedAt: integer("requested_at").notNull(),
    /** Time at which the target started to serve the workspace. */
    movedAt: integer("moved_at"),
  },
  (table) => [
    uniqueIndex("workspace_moves_unfinished").on(table.workspaceId).where(sql`${table.phase} <> 'done'`),
    index("workspace_moves_workspace").on(table.workspaceId),
  ],
);
