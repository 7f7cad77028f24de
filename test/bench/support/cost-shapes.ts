import { numberMonth } from "../../../src/analytics/buckets.ts";
import { ingestScans } from "../../../src/analytics/ingest.ts";
import { toHexId, WORKSPACE_SCANS } from "../../../src/analytics/series.ts";
import { generateUuidv7 } from "../../../src/core/id.ts";
import { DAY_MS } from "../../../src/core/time.ts";
import type { Window } from "../../../src/counting/window.ts";
import type { DatabaseBindings } from "../../../src/db/shards.ts";
import type { ScanFacts } from "../../../src/scans/scan-facts.ts";
import { packWindow, type Scan } from "../../support/scans.ts";
import { drawPoisson, drawRank, drawTraffic, drawVisitor, random } from "./draws.ts";
import { meterD1 } from "./meter.ts";

/** Traffic of a deployment. */
export interface Shape {
  name: string;
  scansPerDay: number;
  links: number;
  workspaces: number;
  /**
   * Number of shards. A database holds 10 GB, and a year of 10^6 scans a day takes about 5 GB, so this many are half full
   * of scans after a quarter of a year, and full after half a year. The smallest shape fits in one for two years.
   */
  shards: number;
  scansPerMessage: number;
  messagesPerBatch: number;
  /** Maximum number of rows written for each scan. */
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

/** Scans that are counted for each shape. */
const SCANS = 20_000;

/** Costs of a scan at a shape. */
export interface ScanCost {
  shape: Shape;
  /**
   * Rows written with batches when the links were scanned in the month already. It is the mean of a month to a few
   * hundredths: of all scans of a month only the first of each link, at most one in 30, writes a row more.
   */
  rowsWritten: number;
  /** The same in the first minutes of a month, when most scans are the first of their link and insert a row. */
  rowsWrittenFirst: number;
  rowsRead: number;
  /** Transactions on shards for each scan. Each writes at least one row of `counted_buckets`. */
  transactions: number;
}

/** Costs that are measured with and without rows of the month. */
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
 * Counts batches of each shape with the real consumer. The links exist, as they do where they are scanned. One database
 * stands for all shards: each is counted on in transactions of its own, and no row belongs to two of them except those of
 * `counted_buckets`, which cost the same whether they are inserted or changed.
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
 * Gives links that were not scanned before what they have in the middle of a month: their scans of 15 days, and the place
 * in sorted lists that follows. The first scan of a day moves a link in the list of last scans, so a scan is that with
 * the probability that a scan of its link is the first one of a day.
 */
async function rankLinks(shard: D1Database, links: readonly BenchLink[], timeMs: number): Promise<void> {
  const rows = links.map(({ linkId, scansPerDay }) => {
    const isFirstOfDay = random() < (1 - Math.exp(-scansPerDay)) / scansPerDay;
    const count = Math.ceil(15 * scansPerDay);
    // The count moves a link when it has grown by a quarter, so it is anywhere in between.
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

/** Draws a batch of the shape with a number. Shapes share no workspaces. */
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
        traffic: drawTraffic(),
        ...drawVisitor(),
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

/** Returns the UUIDv7 of a number. */
export function formatId(kind: number, number: number): string {
  const hex = number.toString(16).padStart(12, "0");
  return `019aa5a8-5d2c-7${kind.toString(16).padStart(3, "0")}-9f6e-${hex}`;
}

/** Link that scans lead to, with the place of its workspace. */
export interface BenchLink {
  linkId: string;
  workspaceId: string;
  shard: number;
  /** Mean number of its scans on a day. */
  scansPerDay: number;
}

/** Inserts the links of a batch that do not exist yet, with their workspaces. All are stored in the first shard. */
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
