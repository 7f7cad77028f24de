import { type AnySQLiteColumn, index, integer, primaryKey, text } from "drizzle-orm/sqlite-core";
import type { Actor } from "../tenant/actor.ts";
import type { ResourceType } from "./resource-type.ts";

/** Former and new value of each field that a change changed. A field that did not exist is null. */
export type Changes = Record<string, [before: unknown, after: unknown]>;

/** Returns the columns of a log of changes. The shards and the directory have one each, since no statement spans both. */
export function entryColumns() {
  return {
    workspaceId: text("workspace_id").notNull(),
    /** UUIDv7 of the time `at`. Ids of a workspace increase in the order in which its changes were committed. */
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
    /** Last, so that it is read only if it is needed. */
    changes: text({ mode: "json" }).$type<Changes>().notNull(),
  };
}

/** Stored entry of a log. */
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
}

/**
 * Returns the keys of a log: the order of a workspace's entries, and that of one resource. The tables are WITHOUT ROWID,
 * which stores a row once, in the order of its key; drizzle-kit cannot express that, so the migrations were edited by hand.
 */
export function entryKeys({
  workspaceId,
  resourceId,
  id,
}: Record<"workspaceId" | "resourceId" | "id", AnySQLiteColumn>) {
  return [primaryKey({ columns: [workspaceId, id] }), index("audit_log_resource").on(resourceId, id)];
}

/** Table with the columns of a log. */
export type EntryTable = Record<keyof Entry, AnySQLiteColumn>;
