import { type LoadResult, load, median, percentile, type RequestMaker } from "./load.ts";
import type { Runtime } from "./runtime.ts";

const CONNECTIONS = 16;
const MICROSECONDS = 1_000_000;

/** What is measured: requests to a running Worker. */
export interface Target {
  name: string;
  runtime: Runtime;
  requests: number;
  make: RequestMaker;
  /** Status that every answer has to have. */
  status: number;
  /** Runs before each round, unmeasured. */
  prepare?: () => Promise<void>;
  /** Runs after each round and belongs to it: what the requests have left to be done. */
  settle?: () => Promise<void>;
}

/** One round of one target. */
interface Round {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  cpuMicroseconds: number;
}

/** The medians of a target's rounds. `toBare` and `toHono` are ratios of CPU time to the neighbouring baselines. */
export interface Measured extends Round {
  name: string;
  toBare: number;
  toHono: number;
}

/**
 * Measures each target in turn, each round with a round of both baselines right before it: a machine's speed drifts by
 * a factor of two, a ratio of neighbours does not.
 */
export async function compare(
  bare: Target,
  hono: Target,
  targets: readonly Target[],
  rounds: number,
): Promise<Measured[]> {
  for (const baseline of [bare, hono]) await runRound(baseline);
  const measured: Measured[] = [];
  for (const target of targets) {
    const all: (Round & { toBare: number; toHono: number })[] = [];
    for (let round = 0; round < rounds; round++) {
      const ofBare = await runRound(bare);
      const ofHono = await runRound(hono);
      const own = await runRound(target);
      const ratio = (baseline: Round) => own.cpuMicroseconds / baseline.cpuMicroseconds;
      all.push({ ...own, toBare: ratio(ofBare), toHono: ratio(ofHono) });
    }
    measured.push({ name: target.name, ...mediansOf(all) });
  }
  return measured;
}

async function runRound({ name, runtime, requests, make, status, prepare, settle }: Target): Promise<Round> {
  await prepare?.();
  const cpuBefore = runtime.cpuSeconds();
  const result = await load(runtime.port, requests, CONNECTIONS, make);
  await settle?.();
  const cpuSeconds = runtime.cpuSeconds() - cpuBefore;
  requireStatus(name, result, status);
  return {
    perSecond: result.requests / result.seconds,
    p50Ms: percentile(result.latenciesMs, 0.5),
    p95Ms: percentile(result.latenciesMs, 0.95),
    p99Ms: percentile(result.latenciesMs, 0.99),
    cpuMicroseconds: (cpuSeconds / result.requests) * MICROSECONDS,
  };
}

function requireStatus(name: string, { statuses, requests }: LoadResult, status: number): void {
  if (statuses.get(status) === requests) return;
  throw new Error(`${name}: expected only ${status}, got ${JSON.stringify([...statuses])}`);
}

function mediansOf<Numbers extends Record<keyof Numbers, number>>(all: readonly Numbers[]): Numbers {
  const names = Object.keys(all[0] ?? {}) as (keyof Numbers)[];
  return Object.fromEntries(names.map((name) => [name, median(all.map((round) => round[name]))])) as Numbers;
}

/** Prints what was measured, one line a target. */
export function printTable(measured: readonly Measured[]): void {
  const heads = ["", "req/s", "p50 ms", "p95 ms", "p99 ms", "CPU µs", "to bare", "to Hono"];
  const rows = measured.map(({ name, perSecond, p50Ms, p95Ms, p99Ms, cpuMicroseconds, toBare, toHono }) => [
    name,
    perSecond.toFixed(0),
    ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(2)),
    cpuMicroseconds.toFixed(0),
    ...[toBare, toHono].map((ratio) => ratio.toFixed(2)),
  ]);
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...rows].map((row) => row[column]?.length ?? 0)),
  );
  for (const row of [heads, ...rows]) {
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    );
  }
}
