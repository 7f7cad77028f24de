import { type Counts, Fleet, FleetDataCentre, type Size } from "./support/fleet-model.ts";

const DAY_S = 86_400;
const DATA_CENTRES = 300;
/** Ranks of the simulated data centres. Each represents the ranks up to halfway to its neighbours. */
const RANKS = [1, 3, 8, 20, 45, 90, 160, 250];
const WARM_UP_MS = 40_000;
const TICK_MS = 1_000;

const SIZES: Size[] = [
  { scansPerDay: 1e6, links: 1e5, changedPerDay: 0.01, durationMs: 4 * 3_600_000 },
  { scansPerDay: 1e8, links: 1e7, changedPerDay: 0.01, durationMs: 20 * 60_000 },
  { scansPerDay: 1e9, links: 1e9, changedPerDay: 0.01, durationMs: 60_000 },
];

const STALE_MAX_MS = 35_000;
const READS_MAX = 0.35;
const FEED_READS_MAX = 0.02;

/**
 * Simulates the redirects of a whole deployment: the real resolver, feed and collector run on a simulated
 * clock, cache and storage. The popularity of links and data centres follows Zipf's law. For comparison, the
 * same code also runs without the feed, so that cached entries only expire by age.
 */
export default async function run(): Promise<void> {
  for (const size of SIZES) {
    const before = await simulate(size, false);
    const now = await simulate(size, true);
    console.log(
      `\nfleet: ${size.scansPerDay.toExponential()} scans a day, ${size.links.toExponential()} links, ` +
        `${now.shards} shards, ${size.changedPerDay * 100} % of the links change in a day; ` +
        `${(size.durationMs / 60_000).toFixed(0)} minutes`,
    );
    console.table([formatSummary("by age (25 s)", before), formatSummary("by the feed", now)]);
    const isGoal = size.scansPerDay === 1e8;
    report("no change seen later than 35 s, in seconds", now.staleMaxMs / 1_000, STALE_MAX_MS / 1_000);
    if (isGoal) report("database reads per redirect", now.linkReads + now.hostReads, READS_MAX);
    if (size.scansPerDay >= 1e8)
      report("calls and polls of the feed per redirect", now.calls + now.polls, FEED_READS_MAX);
  }
}

function report(name: string, value: number, max: number): void {
  console.log(`${value <= max ? "reached" : "MISSED "}  ${name}: ${value.toFixed(3)} (at most ${max})`);
}

/** Figures per redirect, for the whole deployment. */
interface Summary extends Counts {
  shards: number;
  polls: number;
}

function formatSummary(regime: string, summary: Summary) {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const { fromMemory, fromCache, linkReads, hostReads, cacheLookUps, calls, polls, changesTold, staleMaxMs } =
    summary;
  return {
    regime,
    memory: percent(fromMemory),
    cache: percent(fromCache),
    "link reads": linkReads.toFixed(3),
    "host reads": hostReads.toFixed(3),
    "cache look-ups": cacheLookUps.toFixed(2),
    calls: percent(calls),
    polls: percent(polls),
    "changes told": changesTold.toFixed(3),
    "stale, s": (staleMaxMs / 1_000).toFixed(1),
  };
}

/** Returns each data centre's fraction of the traffic. */
function getWeights(): number[] {
  const weights = Array.from({ length: DATA_CENTRES }, (_, index) => 1 / (index + 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

async function simulate(size: Size, hasFeed: boolean): Promise<Summary> {
  const fleet = new Fleet(size, hasFeed);
  const weights = getWeights();
  const perSecond = size.scansPerDay / DAY_S;
  const centres = RANKS.map((rank) => new FleetDataCentre(fleet, perSecond * (weights[rank - 1] ?? 0)));
  await runFor(fleet, centres, WARM_UP_MS);
  for (const { counts } of centres) for (const name of Object.keys(counts)) counts[name as keyof Counts] = 0;
  fleet.polls = 0;
  await runFor(fleet, centres, size.durationMs);
  return summarize(fleet, centres, weights, perSecond);
}

/**
 * Runs the simulation: visits and changes at random times, and a poll of the feed by some other data centre
 * once per second.
 */
async function runFor(fleet: Fleet, centres: readonly FleetDataCentre[], durationMs: number): Promise<void> {
  const endMs = fleet.nowMs + durationMs;
  const { links, changedPerDay } = fleet.size;
  const sources = [
    ...centres.map((centre) => ({ everyMs: 1_000 / centre.perSecond, run: () => centre.visit() })),
    { everyMs: (DAY_S * 1_000) / (links * changedPerDay), run: async () => fleet.change() },
  ].map((source) => ({ ...source, nextMs: fleet.nowMs + draw(source.everyMs) }));
  let nextTickMs = fleet.nowMs;
  for (;;) {
    const next = sources.reduce((first, source) => (source.nextMs < first.nextMs ? source : first));
    while (fleet.hasFeed && nextTickMs < Math.min(next.nextMs, endMs)) {
      fleet.nowMs = nextTickMs;
      await fleet.collection.since({});
      nextTickMs += TICK_MS;
    }
    if (next.nextMs >= endMs) break;
    fleet.nowMs = next.nextMs;
    await next.run();
    next.nextMs += draw(next.everyMs);
  }
  fleet.nowMs = endMs;
}

/** Returns a random time until the next event of a Poisson process. */
function draw(meanMs: number): number {
  return -meanMs * Math.log(1 - Math.random());
}

/** Averages the simulated data centres, weighted by the traffic that each represents. */
function summarize(
  fleet: Fleet,
  centres: readonly FleetDataCentre[],
  weights: readonly number[],
  perSecond: number,
): Summary {
  const sum = { ...(centres[0] as FleetDataCentre).counts };
  for (const name of Object.keys(sum)) sum[name as keyof Counts] = 0;
  for (const [index, { counts }] of centres.entries()) {
    const share = sumStratum(weights, index);
    for (const name of Object.keys(sum) as (keyof Counts)[]) {
      sum[name] += name === "staleMaxMs" ? 0 : (share * counts[name]) / Math.max(counts.requests, 1);
    }
    sum.staleMaxMs = Math.max(sum.staleMaxMs, counts.staleMaxMs);
  }
  const redirects = (perSecond * fleet.size.durationMs) / 1_000;
  return { ...sum, shards: fleet.shards, polls: fleet.polls / redirects };
}

/** Returns the fraction of the traffic that a simulated data centre represents. */
function sumStratum(weights: readonly number[], index: number): number {
  const middle = (one: number, other: number) => Math.round(((RANKS[one] ?? 0) + (RANKS[other] ?? 0)) / 2);
  const from = index === 0 ? 0 : middle(index - 1, index);
  const to = index === RANKS.length - 1 ? DATA_CENTRES : middle(index, index + 1);
  return weights.slice(from, to).reduce((total, weight) => total + weight, 0);
}
