import { type LoadResult, median, percentile, type RequestMaker, runLoad } from "./load.ts";
import type { Runtime } from "./runtime.ts";

/** Number of persistent connections. Each sends its next request after the response to the previous one. */
export const CONNECTIONS = 16;
/** Number of turns per round. Turns are short because a machine's speed drifts within seconds. */
const TURNS = 20;
const MICROSECONDS_PER_SECOND = 1_000_000;

/** Requests to a running Worker whose cost is measured. */
export interface Target {
  name: string;
  runtime: Runtime;
  /** Number of requests per round. */
  requests: number;
  makeRequest: RequestMaker;
  /** Status that every response must have. */
  status: number;
  /** Called before each round. Not measured. */
  prepare?: () => Promise<void>;
  /** Waits after each round for the requests' background work, whose CPU time is measured too. */
  settle?: () => Promise<void>;
}

/** Results of one target in one round. */
interface Round {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  cpuMicroseconds: number;
}

/** Medians of a target's rounds. */
export interface Measurement extends Round {
  name: string;
  /** CPU time divided by the bare Worker's CPU time in the same round. */
  toBare: number;
  /** CPU time divided by the Hono route's CPU time in the same round. */
  toHono: number;
}

/**
 * Measures targets one by one. Each round also measures both baselines, in alternating turns of a few hundred
 * requests: a machine's speed drifts by a factor of two, but the ratio of adjacent turns is stable.
 */
export async function compareTargets(
  bare: Target,
  hono: Target,
  targets: readonly Target[],
  rounds: number,
): Promise<Measurement[]> {
  await runRound([bare, hono]);
  const measurements: Measurement[] = [];
  for (const target of targets) {
    const all: (Round & { toBare: number; toHono: number })[] = [];
    for (let round = 0; round < rounds; round++) {
      const [bareRound, honoRound, ownRound] = (await runRound([bare, hono, target])) as [
        Round,
        Round,
        Round,
      ];
      const divideBy = (baseline: Round) => ownRound.cpuMicroseconds / baseline.cpuMicroseconds;
      all.push({ ...ownRound, toBare: divideBy(bareRound), toHono: divideBy(honoRound) });
    }
    measurements.push({ name: target.name, ...computeMedians(all) });
  }
  return measurements;
}

/** Runs one round of several targets in alternating turns, and waits for their background work. */
async function runRound(targets: readonly Target[]): Promise<Round[]> {
  for (const { prepare } of targets) await prepare?.();
  const cpuBefore = targets.map(({ runtime }) => runtime.readCpuSeconds());
  const turns: LoadResult[][] = targets.map(() => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, { name, runtime, requests, makeRequest, status }] of targets.entries()) {
      const result = await runLoad(runtime.port, Math.ceil(requests / TURNS), CONNECTIONS, makeRequest);
      requireStatus(name, result, status);
      turns[index]?.push(result);
    }
  }
  for (const { settle } of targets) await settle?.();
  return targets.map(({ runtime }, index) =>
    summarizeRound(turns[index] ?? [], runtime.readCpuSeconds() - (cpuBefore[index] ?? 0)),
  );
}

function summarizeRound(turns: readonly LoadResult[], cpuSeconds: number): Round {
  const latenciesMs = turns.flatMap((turn) => turn.latenciesMs).sort((a, b) => a - b);
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p95Ms: percentile(latenciesMs, 0.95),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMicroseconds: (cpuSeconds / latenciesMs.length) * MICROSECONDS_PER_SECOND,
  };
}

function requireStatus(name: string, { statuses, requests }: LoadResult, status: number): void {
  if (statuses.get(status) === requests) return;
  throw new Error(`${name}: expected only ${status}, got ${JSON.stringify([...statuses])}`);
}

function computeMedians<Numbers extends Record<keyof Numbers, number>>(all: readonly Numbers[]): Numbers {
  const names = Object.keys(all[0] ?? {}) as (keyof Numbers)[];
  return Object.fromEntries(names.map((name) => [name, median(all.map((round) => round[name]))])) as Numbers;
}

/** Prints a table with one row per target. */
export function printTable(measurements: readonly Measurement[]): void {
  const heads = ["", "req/s", "p50 ms", "p95 ms", "p99 ms", "CPU µs", "to bare", "to Hono"];
  const rows = measurements.map(
    ({ name, perSecond, p50Ms, p95Ms, p99Ms, cpuMicroseconds, toBare, toHono }) => [
      name,
      perSecond.toFixed(0),
      ...[p50Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(2)),
      cpuMicroseconds.toFixed(0),
      ...[toBare, toHono].map((ratio) => ratio.toFixed(2)),
    ],
  );
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
