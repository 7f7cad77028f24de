import { copyFileSync, existsSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { numberMonth } from "../../../src/analytics/buckets.ts";
import { sweepScans } from "../../../src/analytics/fold-months.ts";
import { ingestScans } from "../../../src/analytics/ingest.ts";
import { toHexId, WORKSPACE_SCANS } from "../../../src/analytics/series.ts";
import { generateUuidv7 } from "../../../src/core/id.ts";
import { DAY_MS } from "../../../src/core/time.ts";
import type { DatabaseBindings } from "../../../src/db/shards.ts";
import { packWindow, type Scan } from "../../support/scans.ts";
import { asBatch, failOnRetry, formatId, insertLinks } from "./cost-shapes.ts";
import { drawMarkedVisitor, drawPoisson, drawSource, drawUtm, type MarkedVisitor, random } from "./draws.ts";
import { type Meter, meterD1 } from "./meter.ts";

/** Simulated traffic: the smallest shape. */
const SCANS_PER_DAY = 1e6;
const LINKS = 1e5;
const WORKSPACES = 1e3;
const WINDOWS_PER_DAY = SCANS_PER_DAY / 1.01;

/** Simulated months: a finished one, and the next. */
const START_MS = Date.UTC(2026, 9, 1);
const FINISHED_DAYS = 31;
const CURRENT_DAYS = 30;
const DAYS = FINISHED_DAYS + CURRENT_DAYS;
/**
 * Number of days and months in a database after a year. On average, half a month more than the promised 92
 * days is kept by day.
 */
const DAYS_KEPT = 107;
const FACT_DAYS_KEPT = 35;
/** Number of days whose samples have the visitors' values. */
const VALUE_DAYS_KEPT = 2;
const MONTHS_FOLDED = (365 - DAYS_KEPT) / 30.4;
const WINDOW_DAYS_KEPT = 15;
const WINDOW_BYTES = 16;

/** Links with a similar number of scans. Only a sample of them is simulated. */
interface Stratum {
  fromRank: number;
  toRank: number;
  sampleLinks: number;
  /** Scans per day of each simulated link. */
  scansPerDay: number;
  /** Few enough batches that a single batch doesn't fill a link's log. */
  batchesPerDay: number;
}

const HARMONIC = Math.log(LINKS) + 0.5772;
const getScansPerDay = (rank: number) => SCANS_PER_DAY / HARMONIC / rank;
const sumScansPerDay = ({ fromRank, toRank }: Stratum) =>
  (SCANS_PER_DAY / HARMONIC) * Math.log((toRank + 0.5) / (fromRank - 0.5));

/**
 * The busiest links are simulated with fewer scans than they have. Only the size of their facts depends on
 * the number of scans.
 */
const STRATA: Stratum[] = [
  { fromRank: 1, toRank: 9, sampleLinks: 1, scansPerDay: 4_000, batchesPerDay: 48 },
  { fromRank: 10, toRank: 99, sampleLinks: 1, scansPerDay: getScansPerDay(40), batchesPerDay: 24 },
  { fromRank: 100, toRank: 999, sampleLinks: 5, scansPerDay: getScansPerDay(391), batchesPerDay: 12 },
  { fromRank: 1_000, toRank: 9_999, sampleLinks: 50, scansPerDay: getScansPerDay(3_909), batchesPerDay: 4 },
  {
    fromRank: 10_000,
    toRank: 100_000,
    sampleLinks: 500,
    scansPerDay: getScansPerDay(39_090),
    batchesPerDay: 2,
  },
];

/** SQL condition for rows of `scan_days` whose visitors have values: see `packed-marks.ts`. */
const HAS_VALUES = "octet_length(visitors) > 0 AND substr(visitors, 1, 1) <> x'ff'";

const IS_FINISHED = `month = ${numberMonth(START_MS)}`;

/** Tables, with SQL expressions for the sizes of the parts of a row that are kept equally long. */
const TABLES = {
  scan_months: {
    finishedMonths: `iif(${IS_FINISHED}, 56 + octet_length(days) + octet_length(log), 0)`,
    currentMonths: `iif(${IS_FINISHED}, 0, 56 + octet_length(days) + octet_length(log))`,
  },
  scan_parts: {
    finishedParts: `iif(${IS_FINISHED}, 38 + octet_length(facts), 0)`,
    currentParts: `iif(${IS_FINISHED}, 0, 38 + octet_length(facts))`,
  },
  scan_days: {
    counts: "37 + octet_length(counts)",
    marks: `iif(${HAS_VALUES}, 0, octet_length(visitors))`,
    values: `iif(${HAS_VALUES}, octet_length(visitors), 0)`,
  },
  scan_facts: { scan_facts: "39 + octet_length(facts)" },
  scan_history: { scan_history: "36 + octet_length(days) + 20" },
  scan_history_counts: { scan_history_counts: "38 + octet_length(counts)" },
};
type Table = keyof typeof TABLES;
type Part = { [T in Table]: keyof (typeof TABLES)[T] }[Table];

export interface Growth {
  bytesByTable: Record<string, number>;
  bytes: number;
  /** Rows written per scan in addition to its batch: by moving logs, and by later sweeps. */
  rowsMoved: number;
  rowsSwept: number;
}

/**
 * Simulates two months of sampled links with the real consumer and sweeps, and extrapolates to a year of all
 * links. Data kept by day grows with the number of days, and months with the number of months. The last month
 * counts once, because its logs are longer, and so do the values of visitors, which only the last days have. Facts grow
 * with the number of scans, everything else with the number of links. Content is measured per series.
 * The overhead of pages is measured in the database file.
 */
export async function measureGrowth(
  databases: DatabaseBindings,
  findShardFile: () => string,
): Promise<Growth> {
  const { SHARD_0: d1 } = databases;
  const growth: Growth = { bytesByTable: {}, bytes: 0, rowsMoved: 0, rowsSwept: 0 };
  const meters: Meter[] = [];
  for (const [index, stratum] of STRATA.entries()) {
    console.log(
      `cost: two months of ${stratum.sampleLinks} of the links ${stratum.fromRank} to ${stratum.toRank} …`,
    );
    meters.push(await simulateMonths(databases, index, stratum));
  }
  const kept = await measureTables(d1, findShardFile());
  const sweepMeter = meterD1(d1);
  // Facts are due before months, and both are due by then.
  for (let i = 0; i < 40; i++) await sweepScans(sweepMeter.d1, START_MS + 400 * DAY_MS);
  const folded = await measureTables(d1, findShardFile());

  let sampleScans = 0;
  for (const [index, stratum] of STRATA.entries()) {
    const links = stratum.toRank - stratum.fromRank + 1;
    const byLinks = links / stratum.sampleLinks;
    const byScans = sumScansPerDay(stratum) / (stratum.sampleLinks * stratum.scansPerDay);
    const sizes = kept(index, false);
    add(growth, "scan_months", sumMonths(sizes.finishedMonths, sizes.currentMonths) * byLinks);
    add(growth, "scan_parts", sumMonths(sizes.finishedParts, sizes.currentParts) * byScans);
    add(growth, "scan_days", sumDays(sizes) * byLinks);
    add(growth, "scan_history_counts", sumMonths(sizes.scan_history_counts, 0) * byLinks);
    add(growth, "scan_facts", sizes.scan_facts * byScans * (FACT_DAYS_KEPT / DAYS));
    for (const table of ["scan_history", "scan_history_counts"] as const)
      add(growth, table, folded(index, false)[table] * byLinks * (MONTHS_FOLDED / 2));
    const share = sumScansPerDay(stratum) / SCANS_PER_DAY;
    const scans = stratum.sampleLinks * stratum.scansPerDay * DAYS;
    growth.rowsMoved += (share * countMoved(meters[index] as Meter)) / scans;
    sampleScans += scans;
  }
  // The last three strata are workspaces with about the average number of scans.
  for (const index of [2, 3, 4]) {
    const sizes = kept(index, true);
    add(growth, "scan_months", (sumMonths(sizes.finishedMonths, sizes.currentMonths) * WORKSPACES) / 3);
    add(growth, "scan_parts", (sumMonths(sizes.finishedParts, sizes.currentParts) * WORKSPACES) / 3);
    add(growth, "scan_days", (sumDays(sizes) * WORKSPACES) / 3);
    add(growth, "scan_history_counts", (sumMonths(sizes.scan_history_counts, 0) * WORKSPACES) / 3);
    for (const table of ["scan_history", "scan_history_counts"] as const)
      add(growth, table, (folded(index, true)[table] * WORKSPACES * (MONTHS_FOLDED / 2)) / 3);
  }
  add(growth, "counted_buckets", WINDOWS_PER_DAY * WINDOW_DAYS_KEPT * WINDOW_BYTES * 1.2);
  growth.rowsSwept = sweepMeter.rowsWritten / sampleScans;
  return growth;
}

function add(growth: Growth, table: string, bytes: number): void {
  growth.bytesByTable[table] = (growth.bytesByTable[table] ?? 0) + bytes;
  growth.bytes += bytes;
}

/** Returns the bytes of all months kept by day, from the bytes of a finished month and of the current one. */
function sumMonths(finished: number, current: number): number {
  return finished * ((DAYS_KEPT - CURRENT_DAYS) / FINISHED_DAYS) + current;
}

/** Returns the bytes of `scan_days` for all days kept, from the bytes of the simulated days. */
function sumDays({ counts, marks, values }: Record<Part, number>): number {
  const markDays = (DAYS_KEPT - VALUE_DAYS_KEPT) / (DAYS - VALUE_DAYS_KEPT);
  return counts * (DAYS_KEPT / DAYS) + marks * markDays + values;
}

function countMoved({ writtenByChange }: Meter): number {
  const inserts = ["INSERT scan_days", "INSERT scan_facts", "INSERT scan_parts"];
  const changes = [...inserts, "UPDATE scan_days", "UPDATE scan_months"];
  return changes.reduce((sum, change) => sum + (writtenByChange[change] ?? 0), 0);
}

async function simulateMonths(databases: DatabaseBindings, index: number, stratum: Stratum): Promise<Meter> {
  const meter = meterD1(databases.SHARD_0);
  const bindings = { ...databases, SHARD_0: meter.d1 };
  const workspaceId = formatId(4, index);
  const linkIds = Array.from({ length: stratum.sampleLinks }, (_, link) => formatId(5 + index, link));
  const campaigns = new Map(linkIds.map((linkId) => [linkId, drawUtm()]));
  await insertLinks(
    databases,
    linkIds.map((linkId) => ({ linkId, workspaceId, shard: 0 })),
  );
  const batchMs = DAY_MS / stratum.batchesPerDay;
  const seen = new Map<string, MarkedVisitor[]>();
  for (let batch = 0; batch < DAYS * stratum.batchesPerDay; batch++) {
    const startMs = Math.floor(START_MS + batch * batchMs);
    // A visitor has another mark on each day.
    if (batch % stratum.batchesPerDay === 0) for (const linkId of linkIds) seen.set(linkId, []);
    const scans = linkIds.flatMap((linkId) =>
      Array.from(
        { length: drawPoisson(stratum.scansPerDay / stratum.batchesPerDay) },
        (): Scan => ({
          workspaceId,
          linkId,
          shortCode: "abcdefg",
          destination: "https://example.com/some/page",
          rule: null,
          scannedAtMs: Math.floor(startMs + random() * batchMs),
          source: drawSource(),
          utm: campaigns.get(linkId),
          ...drawMarkedVisitor(seen.get(linkId) as MarkedVisitor[]),
        }),
      ),
    );
    if (scans.length === 0) continue;
    const window = packWindow(scans.sort((one, other) => one.scannedAtMs - other.scannedAtMs));
    window.id = generateUuidv7(startMs);
    await ingestScans(asBatch([{ body: window, attempts: 1, retry: failOnRetry }]), bindings, startMs);
  }
  return meter;
}

/**
 * Returns a function that returns the size of each part of the tables in bytes for a stratum: for its links, or for
 * its workspace.
 */
async function measureTables(d1: D1Database, file: string) {
  const tables = await Promise.all(
    Object.entries(TABLES).map(async ([table, parts]) => {
      const sums = Object.entries(parts).map(([part, size]) => `sum(${size}) AS "${part}"`);
      const { results } = await d1
        .prepare(
          `SELECT hex(owner) AS owner, item = unhex('${WORKSPACE_SCANS}') AS isWorkspace, ${sums.join(", ")}
             FROM ${table} GROUP BY 1, 2`,
        )
        .all<{ owner: string; isWorkspace: number } & Record<Part, number>>();
      return { table, parts: Object.keys(parts) as Part[], series: results };
    }),
  );
  const pages = readPages(file);
  return (index: number, isWorkspace: boolean): Record<Part, number> => {
    const owner = toHexId(formatId(4, index)).toUpperCase();
    const sizes = tables.flatMap(({ table, parts, series }) => {
      const content = series.reduce((sum, row) => parts.reduce((all, part) => all + row[part], sum), 0);
      const own = series.find((row) => row.owner === owner && row.isWorkspace === Number(isWorkspace));
      const overhead = content === 0 ? 1 : Math.max(1, (pages.get(table) ?? 0) / content);
      return parts.map((part) => [part, (own?.[part] ?? 0) * overhead] as const);
    });
    return Object.fromEntries(sizes) as Record<Part, number>;
  };
}

/** Returns the size of each table's pages in bytes, read from a copy of the database file. */
function readPages(file: string): Map<string, number> {
  const copy = `${file}.copy`;
  for (const ending of ["", "-wal"])
    if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
  const database = new DatabaseSync(copy);
  // The index of a key is named sqlite_autoindex_{table}_1.
  const pages = database
    .prepare(
      `SELECT replace(rtrim(name, '1'), 'sqlite_autoindex_', '') AS name, sum(pgsize) AS bytes FROM dbstat GROUP BY name`,
    )
    .all();
  database.close();
  for (const ending of ["", "-wal", "-shm"]) rmSync(copy + ending, { force: true });
  const sums = new Map<string, number>();
  for (const { name, bytes } of pages) {
    const table = String(name).replace(/_$/, "");
    sums.set(table, (sums.get(table) ?? 0) + Number(bytes));
  }
  return sums;
}
