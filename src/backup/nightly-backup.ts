import { HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from "../core/time.ts";
import { type DatabaseBindings, listShards } from "../db/shards.ts";
import { readPage } from "./bound-database.ts";
import {
  orderTables,
  parseTables,
  type SchemaItem,
  SELECT_SCHEMA,
  SELECT_TABLES,
  type StoredTable,
} from "./stored-tables.ts";

/**
 * Nightly copies of the databases in the bucket `BACKUPS`, one folder per day. The cron writes a copy in steps, so that no
 * invocation takes long. Files aren't copied: a fetched backup gets them from their buckets.
 */

/** Binding that turns the nightly copies on. */
export const BACKUPS_BINDING = "BACKUPS";
/** Number of copies that are kept. */
const COPIES_MAX = 7;
/** Time of the day (UTC) at which a copy begins. */
const START_MS = 2 * HOUR_MS;
/** Maximum number of pages, of at most a megabyte each, that a step reads, and time after which it ends. */
const STEP_PAGES = 100;
const STEP_MS = 20 * SECOND_MS;
/** Time after which another run continues an interrupted step. */
const LEASE_MS = 5 * MINUTE_MS;
/** Maximum number of calls that delete old copies, of 1,000 objects each. */
const DELETIONS_MAX = 20;
const STATE_KEY = "state.json";

/** Progress of the latest copy. */
interface State {
  /** Day of the copy, which is the name of its folder. */
  name: string;
  isDone: boolean;
  leaseUntilMs: number;
  /** Applied migrations when the copy began, as JSON. */
  migrations: string;
  /** Number of parts of each table that was begun, in the order of {@link Plan}. */
  parts: number[];
  /** Key of the last row that was copied of the last one of these tables. */
  after: string | null;
}

/** Contents of a complete copy, in its `manifest.json`. */
export interface NightlyManifest {
  createdAt: string;
  migrations: Record<string, string[]>;
  schema: Record<string, SchemaItem[]>;
  tables: { database: string; table: string; parts: number }[];
}

interface Plan extends Omit<NightlyManifest, "createdAt" | "tables"> {
  tables: { database: string; table: StoredTable }[];
}

/** Returns the key of a part of a copy. Its first line has the columns. */
export function formatPartKey(name: string, database: string, table: string, part: number): string {
  return `${name}/rows/${database}/${table}/${part}.ndjson`;
}

/** Takes the next step of today's copy, unless it is complete or another run takes a step. Called by the cron. */
export async function continueNightlyBackup(env: DatabaseBindings, nowMs: number): Promise<void> {
  const { [BACKUPS_BINDING]: bucket } = env as DatabaseBindings & { [BACKUPS_BINDING]?: R2Bucket };
  if (bucket === undefined) return;
  const stored = await bucket.get(STATE_KEY);
  const state = stored === null ? null : await stored.json<State>();
  const name = toIso(nowMs - START_MS).slice(0, 10);
  if (state !== null && (state.isDone ? state.name >= name : state.leaseUntilMs > nowMs)) return;
  const begun: State = state === null || state.isDone ? begin(name) : state;
  const onlyIf = stored === null ? new Headers({ "If-None-Match": "*" }) : { etagMatches: stored.etag };
  const lease = await put(bucket, { ...begun, leaseUntilMs: nowMs + LEASE_MS }, onlyIf);
  if (lease === null) return;
  const next = await takeStep(bucket, env, begun, nowMs);
  await put(bucket, { ...next, leaseUntilMs: 0 }, { etagMatches: lease.etag });
}

function begin(name: string): State {
  return { name, isDone: false, leaseUntilMs: 0, migrations: "", parts: [0], after: null };
}

function put(bucket: R2Bucket, state: State, onlyIf: R2Conditional | Headers): Promise<R2Object | null> {
  return bucket.put(STATE_KEY, JSON.stringify(state), { onlyIf });
}

async function takeStep(
  bucket: R2Bucket,
  env: DatabaseBindings,
  state: State,
  nowMs: number,
): Promise<State> {
  const plan = await readPlan(env);
  const migrations = JSON.stringify(plan.migrations);
  // If the databases were migrated since the copy began, it begins again.
  const { name, parts, after } = state.migrations === migrations ? state : begin(state.name);
  const next: State = { ...state, migrations, parts: [...parts], after };
  const endsAtMs = Date.now() + STEP_MS;
  for (let page = 0; page < STEP_PAGES && Date.now() < endsAtMs; page++) {
    const current = plan.tables[next.parts.length - 1];
    if (current === undefined) return finish(bucket, plan, next, nowMs);
    const { database, table } = current;
    const { lines, last } = await readPage(getDatabase(env, database), table, next.after);
    if (last === null) {
      next.parts.push(0);
    } else {
      const part = next.parts.pop() ?? 0;
      const text = [JSON.stringify(table.columns), ...lines].join("\n");
      await bucket.put(formatPartKey(name, database, table.name, part), text);
      next.parts.push(part + 1);
    }
    next.after = last;
  }
  return next;
}

async function finish(bucket: R2Bucket, plan: Plan, state: State, nowMs: number): Promise<State> {
  const tables = plan.tables.map(({ database, table }, index) => ({
    database,
    table: table.name,
    parts: state.parts[index] ?? 0,
  }));
  const { migrations, schema } = plan;
  const manifest: NightlyManifest = { createdAt: toIso(nowMs), migrations, schema, tables };
  await bucket.put(`${state.name}/manifest.json`, JSON.stringify(manifest));
  await deleteOldCopies(bucket);
  return { ...state, isDone: true };
}

async function deleteOldCopies(bucket: R2Bucket): Promise<void> {
  const { delimitedPrefixes } = await bucket.list({ delimiter: "/" });
  const old = delimitedPrefixes.toSorted().slice(0, -COPIES_MAX);
  for (let call = 0; call < DELETIONS_MAX && old.length > 0; call++) {
    const { objects } = await bucket.list({ prefix: old[0] as string });
    if (objects.length === 0) old.shift();
    else await bucket.delete(objects.map(({ key }) => key));
  }
}

/** Reads what to copy: shards before the directory, whose rows are written before theirs. */
async function readPlan(env: DatabaseBindings): Promise<Plan> {
  const plan: Plan = { migrations: {}, schema: {}, tables: [] };
  for (const database of [...listShards(env).map((shard) => `SHARD_${shard}`), "DIRECTORY"]) {
    const d1 = getDatabase(env, database);
    const [schema, tables, applied] = await d1.batch<Record<string, unknown>>(
      [SELECT_SCHEMA, SELECT_TABLES, "SELECT name FROM d1_migrations ORDER BY id"].map((sql) =>
        d1.prepare(sql),
      ),
    );
    plan.schema[database] = (schema?.results ?? []) as unknown as SchemaItem[];
    plan.migrations[database] = (applied?.results ?? []).map(({ name }) => String(name));
    const stored = orderTables(parseTables(tables?.results ?? []));
    plan.tables.push(...stored.map((table) => ({ database, table })));
  }
  return plan;
}

function getDatabase(env: DatabaseBindings, name: string): D1Database {
  return (env as unknown as Record<string, D1Database>)[name] as D1Database;
}
