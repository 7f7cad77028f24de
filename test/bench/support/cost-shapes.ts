import { numberMonth } from "../../../src/analytics/buckets.ts";
import { ingestScans } from "../../../src/analytics/ingest.ts";
import { toHexId, WORKSPACE_SCANS } from "../../../src/analytics/series.ts";
import { generateUuidv7 } from "../../../src/core/id.ts";
import { DAY_MS } from "../../../src/core/time.ts";
import type { Window } from "../../../src/counting/window.ts";
import type { DatabaseBindings } from "../../../src/db/shards.ts";
import type { ScanFacts } from "../../../src/scans/scan-facts.ts";
import { packWindow, type Scan } from "../../support/scans.ts";
import { drawMarkedVisitor, drawPoisson, drawRank, random } from "./draws.ts";
import { meterD1 } from "./meter.ts";

/** Traffic of a deployment. */
export interface Shape {
  name: string;
  scansPerDay: number;
  links: number;
  workspaces: number;
  /**
   * Number of shards. A database holds 10 GB, and a year of 10^6 scans per day takes about 5 GB. With this
   * many shards, scans fill half of each after a quarter of a year, and all of it after half a year. The
   * smallest shape fits into one shard for two years.
   */
  shards: number;
  scansPerMessage: number;
  messagesPerBatch: number;
  /** Target: maximum number of rows written per scan. */
  rowsGoal: number | null;
}

export const SHAPES: Shape[] = [
  {
    name: "10^6",
    scansPerDay: 1e6,
    links: 1e5,
    workspaces: 1e3,
    shards: 1,
    scansPerMessage: 1.01,
    messagesPerBatch: 12,
    rowsGoal: 6,
  },
  {
    name: "10^8",
    scansPerDay: 1e8,
    links: 1e7,
    workspaces: 1e5,
    shards: 25,
    scansPerMessage: 1.4,
    messagesPerBatch: 100,
    rowsGoal: 4,
  },
  {
    name: "10^9",
    scansPerDay: 1e9,
    links: 1e9,
    workspaces: 1e6,
    shards: 250,
    scansPerMessage: 2.1,
    messagesPerBatch: 100,
    rowsGoal: null,
  },
];

/** Number of scans to count for each shape. */
const SCANS = 20_000;

/** Costs per scan for a shape. */
export interface ScanCost {
  shape: Shape;
  /**
   * Rows written with batches if the links have already been scanned in the month. This differs from a whole
   * month's mean by a few hundredths only: the first scan of each link writes one more row, and at most one
   * scan in 30 is the first.
   */
  rowsWritten: number;
  /**
   * Rows written in the first minutes of a month, when most scans are the first of their link and insert a
   * row.
   */
  rowsWrittenFirst: number;
  rowsRead: number;
  /** Transactions on shards per scan. Each writes at least one row of `counted_buckets`. */
  transactions: number;
}

/** Costs that are measured both with and without existing rows of the month. */
type BatchCost = Pick<ScanCost, "rowsWritten" | "rowsRead" | "transactions">;

/** Measures each shape at the start of a month and later. */
export async function measureShapes(databases: DatabaseBindings): Promise<ScanCost[]> {
  const costs: ScanCost[] = [];
  for (const [index, shape] of SHAPES.entries()) {
    const { rowsWritten: rowsWrittenFirst } = await measureShape(databases, shape, 2 * index, false);
    const later = await measureShape(databases, shape, 2 * index + 1, true);
    costs.push({ shape, ...later, rowsWrittenFirst });
  }
  return costs;
}

/**
 * Counts batches of a shape with the real consumer. The links already exist. One database represents all
 * shards: each shard is counted in its own transactions. Only rows of `counted_buckets` are shared by several
 * shards, and those cost the same whether they're inserted or updated.
 */
async function measureShape(
  { DIRECTORY, SHARD_0: shard }: DatabaseBindings,
  shape: Shape,
  number: number,
  isLaterInMonth: boolean,
): Promise<BatchCost> {
  const when = isLaterInMonth ? "later in a month" : "at the start of a month";
  console.log(`cost: counting ${SCANS} scans in batches as of ${shape.name} a day, ${when} …`);
  const directoryMeter = meterD1(DIRECTORY);
  const shardMeter = meterD1(shard);
  const shards = Array.from({ length: shape.shards }, (_, index) => [`SHARD_${index}`, shardMeter.d1]);
  const bindings = { DIRECTORY: directoryMeter.d1, ...Object.fromEntries(shards) } as DatabaseBindings;
  let scans = 0;
  let timeMs = Date.now();
  while (scans < SCANS) {
    const { batch, count, links } = drawBatch(shape, number, timeMs);
    await insertLinks({ DIRECTORY, SHARD_0: shard }, links);
    if (isLaterInMonth) {
      await insertMonths(shard, links, timeMs);
      await rankLinks(shard, links, timeMs);
    }
    await ingestScans(batch, bindings, Math.floor(timeMs));
    scans += count;
    timeMs += (count / shape.scansPerDay) * DAY_MS;
  }
  return {
    rowsWritten: shardMeter.rowsWritten / scans,
    rowsRead: (directoryMeter.rowsRead + shardMeter.rowsRead) / scans,
    transactions: shardMeter.transactions / scans,
  };
}

/** Inserts the rows that links and their workspaces have after their first scan in a month. */
async function insertMonths(shard: D1Database, links: readonly BenchLink[], timeMs: number): Promise<void> {
  const rows = links.flatMap(({ linkId, workspaceId }) => {
    const owner = toHexId(workspaceId);
    return [toHexId(linkId), WORKSPACE_SCANS].map((item) => [owner, item]);
  });
  await shard
    .prepare(
      `INSERT INTO scan_months (month, owner, item, human, bot, preview, prefetch, days, moves, log)
       SELECT ?1, unhex(value ->> 0), unhex(value ->> 1), 0, 0, 0, 0, '{}', 0, '' FROM json_each(?2) WHERE true
       ON CONFLICT DO NOTHING`,
    )
    .bind(numberMonth(timeMs), JSON.stringify(rows))
    .run();
}

/**
 * Gives links that haven't been scanned yet the state they would have in the middle of a month: 15 days of
 * scans and the matching rank in sorted lists. The first scan of a day moves a link in the list sorted by
 * last scan. So `last_scan_at` is set to the previous day with the probability that a scan of the link is the
 * first of its day.
 */
async function rankLinks(shard: D1Database, links: readonly BenchLink[], timeMs: number): Promise<void> {
  const rows = links.map(({ linkId, scansPerDay }) => {
    const isFirstOfDay = random() < (1 - Math.exp(-scansPerDay)) / scansPerDay;
    const count = Math.ceil(15 * scansPerDay);
    // A link moves in the list when its count has grown by a quarter, so its rank is somewhere in between.
    const ranked = Math.ceil(count / (1 + random() / 4));
    return [linkId, count, ranked, isFirstOfDay ? timeMs - DAY_MS : timeMs];
  });
  await shard
    .prepare(
      `UPDATE links SET scan_count = value ->> 1, ranked_scan_count = value ->> 2,
                        last_scan_at = value ->> 3, ranked_scan_at = value ->> 3
         FROM json_each(?1) WHERE links.id = value ->> 0 AND links.scan_count = 0`,
    )
    .bind(JSON.stringify(rows))
    .run();
}

/** Draws a batch of a shape. `number` makes the ids unique, so that shapes share no workspaces. */
function drawBatch(shape: Shape, number: number, timeMs: number) {
  let count = 0;
  const links = new Map<string, BenchLink>();
  const batchMs = (shape.messagesPerBatch * shape.scansPerMessage * DAY_MS) / shape.scansPerDay;
  const messages = Array.from({ length: shape.messagesPerBatch }, (_, index) => {
    const scans = Array.from({ length: 1 + drawPoisson(shape.scansPerMessage - 1) }, (): Scan => {
      const rank = drawRank(shape.links);
      const linkId = formatId(2 * number, rank);
      const workspace = rank % shape.workspaces;
      const workspaceId = formatId(2 * number + 1, workspace);
      const scansPerDay = (shape.scansPerDay * Math.log((rank + 1) / rank)) / Math.log(shape.links + 1);
      links.set(linkId, { linkId, workspaceId, shard: workspace % shape.shards, scansPerDay });
      count += 1;
      return {
        workspaceId,
        linkId,
        shortCode: "abcdefg",
        destination: "https://example.com/some/page",
        rule: null,
        scannedAtMs: Math.floor(timeMs + (index * batchMs) / shape.messagesPerBatch),
        ...drawMarkedVisitor([]),
      };
    });
    const window = packWindow(scans);
    window.id = generateUuidv7(Math.floor(timeMs + (index * batchMs) / shape.messagesPerBatch));
    return { body: window, attempts: 1, retry: failOnRetry };
  });
  return { batch: asBatch(messages), count, links: [...links.values()] };
}

export function failOnRetry(): never {
  throw new Error("the batch was not counted");
}

export function asBatch(messages: object[]): MessageBatch<Window<ScanFacts>> {
  return { queue: "scans", messages, ackAll() {} } as unknown as MessageBatch<Window<ScanFacts>>;
}

/** Returns a UUIDv7 that contains a number. */
export function formatId(kind: number, number: number): string {
  const hex = number.toString(16).padStart(12, "0");
  return `019aa5a8-5d2c-7${kind.toString(16).padStart(3, "0")}-9f6e-${hex}`;
}

/** Scanned link, with its workspace and shard. */
export interface BenchLink {
  linkId: string;
  workspaceId: string;
  shard: number;
  /** Mean number of scans per day. */
  scansPerDay: number;
}

/**
 * Inserts the links of a batch that don't exist yet, and their workspaces. All are stored in the first shard.
 */
export async function insertLinks(
  { DIRECTORY, SHARD_0: shard }: DatabaseBindings,
  links: readonly Omit<BenchLink, "scansPerDay">[],
): Promise<void> {
  const json = JSON.stringify(links);
  await DIRECTORY.prepare(
    `INSERT INTO workspaces (id, slug, name, plan, shard, created_at)
     SELECT DISTINCT value ->> 'workspaceId', value ->> 'workspaceId', 'bench', 'enterprise', value ->> 'shard', 0
       FROM json_each(?1) WHERE true
     ON CONFLICT (id) DO UPDATE SET shard = excluded.shard`,
  )
    .bind(json)
    .run();
  const { results: workspaces } = await DIRECTORY.prepare(
    "SELECT id, number FROM workspaces WHERE id IN (SELECT value ->> 'workspaceId' FROM json_each(?1))",
  )
    .bind(json)
    .all();
  await shard.batch([
    shard
      .prepare(
        `INSERT INTO tenants (id, number) SELECT value ->> 'id', value ->> 'number' FROM json_each(?1) WHERE true
         ON CONFLICT DO NOTHING`,
      )
      .bind(JSON.stringify(workspaces)),
    shard
      .prepare(
        `INSERT INTO links (id, workspace_id, short_code, code_key, is_custom, destination, destination_host,
                            rule_hosts, labels, routing_rules, created_at, updated_at)
         SELECT value ->> 'linkId', value ->> 'workspaceId', value ->> 'linkId', value ->> 'linkId', 0,
                'https://example.com/', 'example.com', '[]', '[]', '[]', 0, 0
           FROM json_each(?1) WHERE true ON CONFLICT DO NOTHING`,
      )
      .bind(json),
  ]);
}
