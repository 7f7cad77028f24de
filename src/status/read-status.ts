import { sql } from "drizzle-orm";
import { SECOND_MS, toIso } from "../core/time.ts";
import { openDatabase, openShard } from "../db/database.ts";
import { type DatabaseBindings, listShards } from "../db/shards.ts";
import { summarizeDeadLetters } from "../dead-letters/dead-letters.ts";
import { MESSAGE_KINDS } from "../dead-letters/queue-name.ts";
import { countDue } from "../webhooks/count-due.ts";
import { judge, type Measure, type Status } from "./measures.ts";
import { readCounts } from "./request-counts.ts";
import { readRuns } from "./sweep-runs.ts";

/** Maximum size of a D1 database (https://developers.cloudflare.com/d1/platform/limits/). */
const DATABASE_MAX_BYTES = 10_000_000_000;
/** Number of requests from which a rate of failures says something. */
const REQUESTS_MIN = 20;

/** Bindings that the status reads. */
export interface StatusBindings extends DatabaseBindings {
  SCAN_QUEUE: Pick<Queue, "metrics">;
  SCAN_SPARE_QUEUE: Pick<Queue, "metrics">;
  PAGE_HIT_QUEUE: Pick<Queue, "metrics">;
  PAGE_HIT_SPARE_QUEUE: Pick<Queue, "metrics">;
  DELIVERY_QUEUE: Pick<Queue, "metrics">;
}

/** Checks queues, databases, deliveries, sweeps and requests. A part that can't be read doesn't stop the others. */
export async function readStatus(env: StatusBindings, nowMs: number): Promise<Status> {
  const parts = [
    readQueues(env, nowMs),
    readDirectory(env, nowMs),
    ...listShards(env).map((shard) => readShard(env, shard, nowMs)),
  ];
  const measures = (await Promise.all(parts)).flat();
  return { ok: measures.every(({ ok }) => ok), checked_at: toIso(nowMs), measures };
}

/** Names of the queues' bindings, by the name of the queue. */
const QUEUES = {
  scans: "SCAN_QUEUE",
  "scans-spare": "SCAN_SPARE_QUEUE",
  "page-hits": "PAGE_HIT_QUEUE",
  "page-hits-spare": "PAGE_HIT_SPARE_QUEUE",
  deliveries: "DELIVERY_QUEUE",
} as const;

async function readQueues(env: StatusBindings, nowMs: number): Promise<Measure[]> {
  const queues = Object.entries(QUEUES).map(async ([name, binding]) => {
    const { count, oldestMs } = await readQueue(env[binding]);
    const age = count === null ? null : toAge(oldestMs, nowMs);
    const measures = [judge("queue_messages", name, count), judge("queue_age_seconds", name, age)];
    return name.startsWith("scans") ? [...measures, judge("scan_age_seconds", name, age)] : measures;
  });
  return (await Promise.all(queues)).flat();
}

/** Reads the length of a queue and the time of its oldest message. Null if they aren't known. */
async function readQueue(
  queue: Pick<Queue, "metrics">,
): Promise<{ count: number | null; oldestMs: number | null }> {
  try {
    const { backlogCount, oldestMessageTimestamp } = await queue.metrics();
    return { count: backlogCount, oldestMs: oldestMessageTimestamp?.getTime() ?? null };
  } catch {
    return { count: null, oldestMs: null };
  }
}

async function readDirectory(env: StatusBindings, nowMs: number): Promise<Measure[]> {
  const directory = openDatabase(env.DIRECTORY);
  return readDatabase("directory", env.DIRECTORY, async () => {
    const [letters, runs, counts] = await Promise.all([
      summarizeDeadLetters(directory),
      readRuns(directory),
      readCounts(directory, nowMs),
    ]);
    const scans = letters.find(({ kind }) => kind === "scans");
    return [
      ...MESSAGE_KINDS.map((kind) =>
        judge("dead_letters", kind, letters.find((letter) => letter.kind === kind)?.count ?? 0),
      ),
      judge("scan_age_seconds", "dead-letters", toAge(scans?.oldestMs ?? null, nowMs)),
      ...runs.flatMap(({ scope, succeeded }) =>
        Object.entries(succeeded).map(([name, atMs]) =>
          judge("sweep_age_seconds", `${scope} ${name}`, toAge(atMs, nowMs)),
        ),
      ),
      ...counts.map(({ surface, requests, failures }) =>
        judge("failure_ratio", surface, failures / Math.max(requests, REQUESTS_MIN)),
      ),
    ];
  });
}

async function readShard(env: StatusBindings, shard: number, nowMs: number): Promise<Measure[]> {
  const name = `shard ${shard}`;
  const d1 = (env as unknown as Record<string, D1Database>)[`SHARD_${shard}`] as D1Database;
  return readDatabase(name, d1, async () => {
    const { count, oldestMs } = await countDue(openShard(env, shard).db, nowMs);
    return [
      judge("due_deliveries", name, count),
      judge("due_delivery_age_seconds", name, toAge(oldestMs, nowMs)),
    ];
  });
}

/** Measures a database with its remaining room, or reports that it can't be read. */
async function readDatabase(
  name: string,
  d1: D1Database,
  read: () => Promise<Measure[]>,
): Promise<Measure[]> {
  try {
    const [size, measures] = await Promise.all([openDatabase(d1).run(sql`select 1`), read()]);
    const room = DATABASE_MAX_BYTES - size.meta.size_after;
    return [judge("database_failures", name, 0), judge("database_room_bytes", name, room), ...measures];
  } catch {
    return [judge("database_failures", name, 1)];
  }
}

/** Returns the age in whole seconds of what began at a time. 0 if there is nothing. */
function toAge(atMs: number | null, nowMs: number): number {
  return atMs === null ? 0 : Math.max(0, Math.floor((nowMs - atMs) / SECOND_MS));
}
