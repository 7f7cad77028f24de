import { type AnySQLiteColumn, index, integer, primaryKey, text } from "drizzle-orm/sqlite-core";
import type { Actor } from "../tenant/actor.ts";
import type { ResourceType } from "./resource-type.ts";

/** Old and new value of each changed field. Null if the field had no value. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/**
 * Returns the columns of an audit log. Each shard and the directory have their own table, because no
 * statement spans two databases.
 */
export function entryColumns() {
  return {
    workspaceId: text("workspace_id").notNull(),
    /**
     * UUIDv7 with the time `at`. Within a workspace, ids increase in the order in which changes were
     * committed.
     */
    id: text().notNull(),
    at: integer().notNull(),
    actorType: text("actor_type").$type<Actor["type"]>().notNull(),
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    /** `operationId` of the API, or the words of an admin command. */
    operation: text().notNull(),
    resourceType: text("resource_type").$type<ResourceType>().notNull(),
    resourceId: text("resource_id").notNull(),
    requestId: text("request_id").notNull(),
    changes: text({ mode: "json" }).$type<Changes>().notNull(),
    /**
     * Bytes that the workspace has written on the day of the entry, see `tenant/write-budget.ts`. The constraint
     * rejects null, which is inserted if the budget is exceeded.
     */
    dayBytes: integer("day_bytes").notNull().default(0),
  };
}

export interface Entry {
  workspaceId: string;
  id: string;
  at: number;
  actorType: Actor["type"];
  actorId: string;
  actorName: string;
  operation: string;
  resourceType: ResourceType;
  resourceId: string;
  requestId: string;
  changes: Changes;
  dayBytes: number;
}

/**
 * Returns the keys of an audit log: one for a workspace's entries and one for a resource's entries. The
 * tables are WITHOUT ROWID, which stores a row once, in key order. drizzle-kit can't express that, so the
 * migrations were edited by hand.
 */
export function entryKeys({
  workspaceId,
  resourceId,
  id,
}: Record<"workspaceId" | "resourceId" | "id", AnySQLiteColumn>) {
  return [primaryKey({ columns: [workspaceId, id] }), index("audit_log_resource").on(resourceId, id)];
}

export type EntryTable = Record<keyof Entry, AnySQLiteColumn>;
