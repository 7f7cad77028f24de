import { parentPort, workerData } from "node:worker_threads";
import { type Greedy, listGreedyLoads } from "./greedy-loads.ts";
import { runLoad } from "./load.ts";

/**
 * Thread that sends the load of a greedy workspace, so that reading its large responses doesn't delay the thread that
 * measures another workspace's requests.
 */

/** Requests that a greedy person sends per second, which is the burst limit of people. */
const GREEDY_PER_SECOND = 20;
/** Time in which the isolate evaluates and compiles the modules that a load needs, once in its life. */
const WARM_UP_MS = 3_000;

/** What the thread is started with. */
export interface GreedyThreadData {
  port: number;
  greedy: Greedy;
  row: number;
}

/** Numbers of responses of a load, by status. */
export type GreedyStatuses = ReadonlyMap<number, number>;

const { port, greedy, row } = workerData as GreedyThreadData;
const makeRequest = listGreedyLoads(greedy).find((load) => load.row === row)?.makeRequest;
if (parentPort === null || makeRequest === undefined) throw new Error(`there is no load ${row}`);
const main = parentPort;

let sent = 0;
let timer: NodeJS.Timeout | undefined;
let responses: Promise<GreedyStatuses>[] = [];

const send = async () => (await runLoad(port, 1, 1, () => makeRequest(sent++))).statuses as GreedyStatuses;

// The first message starts the load, the next one ends it, and so on.
main.on("message", async () => {
  if (timer === undefined) {
    timer = setInterval(() => responses.push(send()), 1_000 / GREEDY_PER_SECOND);
    return;
  }
  clearInterval(timer);
  timer = undefined;
  const all = await Promise.all(responses);
  responses = [];
  const counts = new Map<number, number>();
  for (const status of all.flatMap((statuses) => [...statuses.keys()]))
    counts.set(status, (counts.get(status) ?? 0) + 1);
  main.postMessage(counts);
});

const ending = AbortSignal.timeout(WARM_UP_MS);
await runLoad(port, Number.POSITIVE_INFINITY, 1, () => makeRequest(sent++), ending, GREEDY_PER_SECOND);
main.postMessage(new Map());
