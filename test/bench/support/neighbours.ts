import { percentile, type RequestMaker, runLoad } from "./load.ts";
import type { Runtime } from "./runtime.ts";

/** Latencies of one tenant's requests, alone and beside another tenant's load. */
export interface Neighbourhood {
  aloneMs: { p50: number; p99: number };
  besideMs: { p50: number; p99: number };
  /** Median latency beside the load, divided by the median latency alone. */
  ratio: number;
  /** Throughput of the load per second, and its median latency. */
  load: { perSecond: number; p50: number };
}

/** Requests to compare. Measured requests use one connection. */
export interface Neighbours {
  /** Returns the n-th request of the measured tenant. Each request is used once. */
  makeRequest: RequestMaker;
  /** Number of measured requests in each series. */
  requests: number;
  /** Expected status of the measured responses. */
  status: number;
  /** Returns the n-th request of the load. */
  makeLoad: RequestMaker;
  connections: number;
}

const WARM_UP_REQUESTS = 30;

/** Measures how much one tenant's requests slow down another tenant's requests. */
export async function compareNeighbours(
  { port }: Runtime,
  { makeRequest, requests, status, makeLoad, connections }: Neighbours,
): Promise<Neighbourhood> {
  let sent = 0;
  const measure = async (count: number) => {
    const result = await runLoad(port, count, 1, () => makeRequest(sent++));
    if (result.statuses.get(status) !== count) throw new Error(`statuses: ${[...result.statuses]}`);
    return { p50: percentile(result.latenciesMs, 0.5), p99: percentile(result.latenciesMs, 0.99) };
  };
  await measure(WARM_UP_REQUESTS);
  const aloneMs = await measure(requests);
  const controller = new AbortController();
  const loading = runLoad(port, Number.POSITIVE_INFINITY, connections, makeLoad, controller.signal);
  await measure(WARM_UP_REQUESTS);
  const besideMs = await measure(requests);
  controller.abort();
  const { latenciesMs, seconds, statuses } = await loading;
  if (statuses.get(200) !== latenciesMs.length) throw new Error(`statuses of the load: ${[...statuses]}`);
  const load = { perSecond: latenciesMs.length / seconds, p50: percentile(latenciesMs, 0.5) };
  return { aloneMs, besideMs, ratio: besideMs.p50 / aloneMs.p50, load };
}
