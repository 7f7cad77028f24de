import { changeUuidTime, generateUuidv7 } from "../../core/id.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import { openDatabase } from "../../db/database.ts";
import type { DatabaseBindings } from "../../db/shards.ts";
import type { Settings } from "../../env.ts";
import type { Link } from "../../links/links.table.ts";
import type { Actor } from "../../tenant/actor.ts";
import type { Tenant } from "../../tenant/tenant.ts";
import type { Workspace } from "../../tenant/workspace.ts";
import { parseWorkspaceRow, WORKSPACE_COLUMNS, type WorkspaceRow } from "../../tenant/workspace-row.ts";
import type { Attraction } from "./demo-month.ts";
import { Random } from "./random.ts";

/** Databases and buckets of the local service. */
export interface DemoStorage extends DatabaseBindings {
  SHARD_1: D1Database;
  PRIVATE_FILES: R2Bucket;
  PUBLIC_FILES: R2Bucket;
}

/** Actors that make changes in the demo workspace. */
export type DemoActors = Record<"owner" | "editor" | "key", Actor>;

/** Request to the Worker that fills the demo workspace. */
export interface DemoRequest {
  /** Slug of the workspace. */
  slug: string;
  settings: Settings;
  /** URL of the server that receives the webhooks, without a path. */
  receiverUrl: string;
  secrets: Record<"UPLOAD_SECRET" | "WEBHOOK_KEY", string>;
  actors: DemoActors;
  /** Images as Base64, by name. */
  files: Record<string, string>;
  nowMs: number;
}

/** Action at a time in the past. */
export interface DemoStep {
  atMs: number;
  run(): Promise<void>;
}

/** Visited link, with its scans so far and the time when it is disabled. */
export interface VisitedLink {
  link: Link;
  scans: number;
  disabledFromMs: number;
}

/** Visited bio page: either its views, or the clicks on one of its links. */
export interface VisitedPage {
  pageId: string;
  /** Destination of the clicks, or null for views. */
  link: string | null;
}

/** Queue without consumers. The service's cron finds due deliveries in their table. */
const SILENT_QUEUE = { sendBatch: async () => {} } as unknown as Queue;
const WORK_SEED = 7;
const FIRST_WORK_HOUR = 8;
const LAST_WORK_HOUR = 16;

/** State while the demo workspace is filled: actors, times, and the resources created so far. */
export class DemoWorld {
  readonly links: (VisitedLink & Attraction)[] = [];
  readonly pages: (VisitedPage & Attraction)[] = [];
  /** URLs of published files by name. */
  readonly fileUrls = new Map<string, string>();
  /** Work passed to `waitUntil`, which continues after a call. */
  readonly pending: Promise<unknown>[] = [];
  readonly #random = new Random(WORK_SEED);
  readonly storage: DemoStorage;
  readonly workspace: Workspace;
  readonly request: DemoRequest;
  readonly todayMs: number;

  constructor(storage: DemoStorage, workspace: Workspace, request: DemoRequest) {
    this.storage = storage;
    this.workspace = workspace;
    this.request = request;
    this.todayMs = request.nowMs - (request.nowMs % DAY_MS);
  }

  get settings(): Settings {
    return this.request.settings;
  }

  get nowMs(): number {
    return this.request.nowMs;
  }

  /** Returns a random time within working hours, `age` days before today. */
  workTime(age: number): number {
    const hours = this.#random.integer(FIRST_WORK_HOUR, LAST_WORK_HOUR);
    return this.todayMs - age * DAY_MS + hours * HOUR_MS + this.#random.integer(0, 59) * MINUTE_MS;
  }

  /** Returns the tenant (the context of an API request) for a change by an actor. */
  as(name: keyof DemoActors, operation: string, nowMs: number): Tenant {
    const { workspace, settings, storage, request } = this;
    const requestId = changeUuidTime(generateUuidv7(nowMs), nowMs);
    return {
      db: openDatabase(storage.SHARD_0),
      directory: openDatabase(storage.DIRECTORY),
      workspace,
      settings,
      nowMs,
      operation,
      requestId,
      actor: request.actors[name],
      origin: { requestId, isRetry: false },
      deliveryQueue: SILENT_QUEUE,
      waitUntil: (promise) => this.pending.push(promise),
    };
  }
}

/** Reads a workspace by its slug. */
export async function readWorkspace(directory: D1Database, slug: string): Promise<Workspace> {
  const row = await directory
    .prepare(`SELECT ${WORKSPACE_COLUMNS} FROM workspaces w WHERE w.slug = ?1`)
    .bind(slug)
    .first<WorkspaceRow>();
  if (row === null) throw new Error(`workspace ${slug} not found`);
  return parseWorkspaceRow(row);
}
