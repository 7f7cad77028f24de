import { type LoadResult, load, median, percentile, type RequestMaker } from "./load.ts";
import type { Runtime } from "./runtime.ts";

/** Kept alive, each of which waits for its answer before it asks again. */
export const CONNECTIONS = 16;
/** In so many turns a round is run: a machine's speed drifts within seconds. */
const TURNS = 20;
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
  /** Waits after each round, and belongs to it: what the requests have left to be done. */
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
 * Measures each target in rounds, and in each round both baselines with it, all three by turns of a few hundred
 * requests: a machine's speed drifts by a factor of two, a ratio of neighbours does not.
 */
export async function compare(
  bare: Target,
  hono: Target,
  targets: readonly Target[],
  rounds: number,
): Promise<Measured[]> {
  await runRound([bare, hono]);
  const measured: Measured[] = [];
  for (const target of targets) {
    const all: (Round & { toBare: number; toHono: number })[] = [];
    for (let round = 0; round < rounds; round++) {
      const [ofBare, ofHono, own] = (await runRound([bare, hono, target])) as [Round, Round, Round];
      const ratio = (baseline: Round) => own.cpuMicroseconds / baseline.cpuMicroseconds;
      all.push({ ...own, toBare: ratio(ofBare), toHono: ratio(ofHono) });
    }
    measured.push({ name: target.name, ...mediansOf(all) });
  }
  return measured;
}

/** Runs targets by turns, and then waits for what they left to be done. */
async function runRound(targets: readonly Target[]): Promise<Round[]> {
  for (const { prepare } of targets) await prepare?.();
  const cpuBefore = targets.map(({ runtime }) => runtime.cpuSeconds());
  const turns: LoadResult[][] = targets.map(() => []);
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [index, { name, runtime, requests, make, status }] of targets.entries()) {
      const result = await load(runtime.port, Math.ceil(requests / TURNS), CONNECTIONS, make);
      requireStatus(name, result, status);
      turns[index]?.push(result);
    }
  }
  for (const { settle } of targets) await settle?.();
  return targets.map(({ runtime }, index) =>
    roundOf(turns[index] ?? [], runtime.cpuSeconds() - (cpuBefore[index] ?? 0)),
  );
}

function roundOf(turns: readonly LoadResult[], cpuSeconds: number): Round {
  const latenciesMs = turns.flatMap((turn) => turn.latenciesMs).sort((a, b) => a - b);
  const seconds = turns.reduce((sum, turn) => sum + turn.seconds, 0);
  return {
    perSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 0.5),
    p95Ms: percentile(latenciesMs, 0.95),
    p99Ms: percentile(latenciesMs, 0.99),
    cpuMicroseconds: (cpuSeconds / latenciesMs.length) * MICROSECONDS,
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
