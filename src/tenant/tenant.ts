import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import type { Actor } from "./actor.ts";
import type { RequestOrigin } from "./request-origin.ts";
import type { Workspace } from "./workspace.ts";

/**
 * Workspace that a request acts for, with everything that its domain functions need. First argument of every
 * domain function, so that no query can forget the workspace.
 */
export interface Tenant {
  /** Shard of the workspace. */
  db: Database;
  directory: Database;
  workspace: Workspace;
  settings: Settings;
  /** Start of the request in Unix milliseconds. Domain functions use no other clock. */
  nowMs: number;
  origin: RequestOrigin;
  /** Actor recorded in the audit log for all changes. */
  actor: Actor;
  /** `operationId` of the current operation. */
  operation: string;
  requestId: string;
  /** Queue of webhook deliveries. */
  deliveryQueue: Queue;
  /** Keeps the invocation alive until the promise settles, even after the response. */
  waitUntil(promise: Promise<unknown>): void;
}
