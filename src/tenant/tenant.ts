import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import type { Actor } from "./actor.ts";
import type { RequestOrigin } from "./request-origin.ts";
import type { Workspace } from "./workspace.ts";

/**
 * The workspace a request acts for, and the resources it acts with. First argument of every domain function, so that
 * no query can forget the workspace.
 */
export interface Tenant {
  /** Shard of the workspace. */
  db: Database;
  /** Directory of the deployment. */
  directory: Database;
  workspace: Workspace;
  settings: Settings;
  /** Start of the request in Unix milliseconds; the only clock of domain functions. */
  nowMs: number;
  origin: RequestOrigin;
  /** Maker of all changes. Every one is written to the audit log with it. */
  actor: Actor;
  /** `operationId` of what the request does. */
  operation: string;
  requestId: string;
  /** Queue that carries webhook deliveries. */
  deliveryQueue: Queue;
  /** Keeps the invocation alive until the promise settles, also after the response. */
  waitUntil(promise: Promise<unknown>): void;
}
