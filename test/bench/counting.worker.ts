import worker from "../../src/index.ts";
import { countTrips } from "../support/counting.ts";

export { EndpointHealth, WorkspaceLimiter } from "../../src/index.ts";

/** The Worker with counting bindings. The `X-Trips` header of each response has the request's accesses to storage. */
export default {
  async fetch(request, bindings, context) {
    const { env, trips } = countTrips(bindings);
    const response = await worker.fetch(request, env, context);
    const withTrips = new Response(response.body, response);
    withTrips.headers.set("X-Trips", JSON.stringify(trips));
    return withTrips;
  },
} satisfies ExportedHandler<Env>;
