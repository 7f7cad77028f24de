import type { Database } from "../db/database.ts";
import type { Settings } from "../env.ts";
import type { DeliveryMessage } from "../webhooks/events.ts";
import type { RequestOrigin } from "./request-origin.ts";
import type { Workspace } from "./workspace.ts";

/** For whom, when and on which database a domain function acts: its first argument, so that no query forgets it. */
export interface Tenant {
  db: Database;
  workspace: Workspace;
  settings: Settings;
  nowMs: number;
  origin: RequestOrigin;
  /** Hands webhook deliveries that were written to the queue, without waiting for it. */
  queueDeliveries(messages: readonly DeliveryMessage[]): void;
}
