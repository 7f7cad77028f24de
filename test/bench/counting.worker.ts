import worker from "../../src/index.ts";
import { countTrips, type Trips } from "../support/counting.ts";

export { EndpointHealth, WorkspaceLimiter } from "../../src/index.ts";

/** Storage accesses and number of messages of this isolate's queue consumers, by queue. */
const consumed: Record<string, Trips & { messages: number }> = {};

/**
 * The Worker with bindings that count storage accesses. Each response has two more headers: `X-Trips` with
 * the request's accesses, and `X-Consumed` with the accesses of this isolate's queue consumers so far.
 */
export default {
  async fetch(request, bindings, context) {
    const { env, trips } = countTrips(bindings);
    const response = await worker.fetch(request, env, context);
    const withTrips = new Response(response.body, response);
    withTrips.headers.set("X-Trips", JSON.stringify(trips));
    withTrips.headers.set("X-Consumed", JSON.stringify(consumed));
    return withTrips;
  },
  async queue(batch, bindings, context) {
    const { env, trips } = countTrips(bindings);
    const sum = consumed[batch.queue] ?? {
      messages: 0,
      d1: 0,
      rowsRead: 0,
      rowsWritten: 0,
      durableObject: 0,
      depth: 0,
    };
    consumed[batch.queue] = sum;
    // Deliveries continue after the handler has returned.
    const add = () => {
      for (const name of ["d1", "rowsRead", "rowsWritten", "durableObject"] as const) {
        sum[name] += trips[name];
        trips[name] = 0;
      }
    };
    sum.messages += batch.messages.length;
    await worker.queue(batch, env, {
      ...context,
      passThroughOnException: () => {},
      waitUntil: (promise: Promise<unknown>) => context.waitUntil(promise.finally(add)),
    } as typeof context);
    add();
  },
} satisfies ExportedHandler<Env>;
