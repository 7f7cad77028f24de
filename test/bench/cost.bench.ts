import type { BenchOptions } from "./run.ts";
import { type CallCost, type ChangeBytes, measureBytes, measureCalls } from "./support/cost-calls.ts";
import { type Growth, measureGrowth } from "./support/cost-growth.ts";
import { PLAN_DOLLARS, PRICES_AT, priceAmount, priceMore, type Resource } from "./support/cost-prices.ts";
import { measureShapes, type ScanCost } from "./support/cost-shapes.ts";
import { measureChecks } from "./support/cost-watch.ts";
import { withLocalD1 } from "./support/local-d1.ts";

const DAYS_PER_MONTH = 30.4;
const YEAR_BYTES_MAX = 5.5e9;
/** Billed queue operations per message: it's written, read and deleted. */
const QUEUE_OPERATIONS = 3;
/**
 * Assumed CPU time of a redirect and of a batch, because a local measurement doesn't apply to the platform.
 */
const REDIRECT_CPU_MS = 1;
const BATCH_CPU_MS = 15;

/**
 * Benchmark of what scans, links, deliveries and API calls cost: the rows that D1 reports and bills, the
 * storage after a year, and the monthly bill. The real consumer counts batches of the sizes that a deployment
 * would see.
 */
export default async function run({ only }: BenchOptions): Promise<void> {
  if (only === "growth") {
    await withLocalD1(async (...databases) => printGrowth(await measureGrowth(...databases)));
    return;
  }
  printBytes(await measureBytes());
  // Runs before the scans, because it takes one minute and the scans take ten.
  printCalls(await measureCalls());
  await withLocalD1(async (databases) => {
    console.log("cost: rows for each check of a destination");
    console.table(await measureChecks(databases));
  });
  let scanCosts: ScanCost[] = [];
  let growth: Growth | undefined;
  await withLocalD1(async (databases) => {
    scanCosts = await measureShapes(databases);
  });
  await withLocalD1(async (databases, findShardFile) => {
    growth = await measureGrowth(databases, findShardFile);
  });
  if (growth === undefined) return;
  printScans(scanCosts, growth);
  printGrowth(growth);
  printBill(scanCosts, growth);
}

/** Returns all rows written per scan: with its batch, when its facts are moved, and by the sweeps. */
function sumRowsWritten(cost: ScanCost, growth: Growth): number {
  return cost.rowsWritten + growth.rowsMoved + growth.rowsSwept;
}

function printScans(costs: readonly ScanCost[], growth: Growth): void {
  console.log(
    "cost: rows for each scan. Facts are moved and swept as measured for the links of the smallest shape.",
  );
  console.table(
    costs.map((cost) => {
      const written = sumRowsWritten(cost, growth);
      const { name, shards, rowsGoal } = cost.shape;
      return {
        "scans a day": name,
        shards,
        "scans in a transaction": (1 / cost.transactions).toFixed(1),
        "in batches": cost.rowsWritten.toFixed(2),
        "as a month starts": cost.rowsWrittenFirst.toFixed(2),
        moved: growth.rowsMoved.toFixed(2),
        swept: growth.rowsSwept.toFixed(2),
        "rows written": written.toFixed(2),
        "rows read": cost.rowsRead.toFixed(1),
        goal: rowsGoal === null ? "" : `≤ ${rowsGoal}: ${formatVerdict(written <= rowsGoal)}`,
      };
    }),
  );
}

function printGrowth({ bytes, bytesByTable }: Growth): void {
  console.log("cost: bytes after 365 days of 10^6 scans a day, extrapolated from a month of sampled links.");
  console.table([
    ...Object.entries(bytesByTable).map(([table, size]) => ({ table, GB: formatGigabytes(size), goal: "" })),
    {
      table: "sum",
      GB: formatGigabytes(bytes),
      goal: `≤ ${formatGigabytes(YEAR_BYTES_MAX)}: ${formatVerdict(bytes <= YEAR_BYTES_MAX)}`,
    },
  ]);
}

function printCalls(costs: readonly CallCost[]): void {
  console.log(`cost: calls and deliveries; dollars at the prices of ${PRICES_AT}, nothing included.`);
  console.table(
    costs.map(({ work, rowsWritten, rowsRead, durableObject, queueOperations }) => ({
      "one unit of": work,
      "rows written": rowsWritten.toFixed(1),
      // Selects by Drizzle report no rows read.
      "rows read, selects apart": rowsRead.toFixed(1),
      "Durable Object": durableObject.toFixed(1),
      "dollars for a million": (
        1e6 *
        priceMore({
          "Workers requests": 1,
          "D1 rows written": rowsWritten,
          "D1 rows read": rowsRead,
          "Durable Object requests": durableObject,
          "Queues operations": queueOperations,
        })
      ).toFixed(2),
    })),
  );
}

function printBytes(measured: readonly ChangeBytes[]): void {
  console.log("cost: bytes of each change. The counted bytes limit what a workspace can write in a day.");
  console.table(
    measured.map(({ change, written, counted }) => ({
      "one unit of": change,
      "bytes written": Math.round(written),
      "bytes counted": Math.round(counted),
    })),
  );
}

function printBill(costs: readonly ScanCost[], growth: Growth): void {
  console.log(
    `cost: dollars a month for scans alone, at the prices of ${PRICES_AT}. CPU is assumed: ${REDIRECT_CPU_MS} ms for a redirect, ${BATCH_CPU_MS} ms for a batch. Storage is that after a year, of the smallest shape only.`,
  );
  const bills = costs.map((cost) => buildBill(cost, growth));
  const lines = Object.keys(bills[0] ?? {}) as Resource[];
  const sums = bills.map((bill) =>
    lines.reduce((sum, line) => sum + priceAmount(line, bill[line] ?? 0), PLAN_DOLLARS),
  );
  const heads = costs.map(({ shape }) => `${shape.name} scans a day`);
  const format = (dollars: readonly number[]) =>
    Object.fromEntries(heads.map((head, index) => [head, (dollars[index] as number).toFixed(2)]));
  console.table([
    { line: "Workers Paid plan", ...format(costs.map(() => PLAN_DOLLARS)) },
    ...lines.map((line) => ({ line, ...format(bills.map((bill) => priceAmount(line, bill[line] ?? 0))) })),
    { line: "sum", ...format(sums) },
  ]);
}

/** Returns the resources that a month of scans uses. */
function buildBill(cost: ScanCost, growth: Growth): Partial<Record<Resource, number>> {
  const { scansPerDay, scansPerMessage, messagesPerBatch } = cost.shape;
  const scans = scansPerDay * DAYS_PER_MONTH;
  const messages = scans / scansPerMessage;
  const batches = messages / messagesPerBatch;
  return {
    "Workers requests": scans + batches,
    "Workers CPU, ms": scans * REDIRECT_CPU_MS + batches * BATCH_CPU_MS,
    "Queues operations": messages * QUEUE_OPERATIONS,
    "D1 rows written": scans * sumRowsWritten(cost, growth),
    "D1 rows read": scans * cost.rowsRead,
    "D1 storage, GB": cost.shape.name === "10^6" ? growth.bytes / 1e9 : 0,
    "Analytics Engine points": scans,
  };
}

function formatGigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(2);
}

function formatVerdict(isReached: boolean): string {
  return isReached ? "reached" : "MISSED";
}
