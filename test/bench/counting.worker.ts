import worker from "../../src/index.ts";
import { countTrips } from "../support/counting.ts";

export { EndpointHealth, WorkspaceLimiter } from "../../src/index.ts";

/** The Worker with its own bindings; a header of each answer says what the request asked of storage. */
export default {
  async fetch(request, bindings, context) {
    const { env, trips } = countTrips(bindings);
    const answer = await worker.fetch(request, env, context);
    const counted = new Response(answer.body, answer);
    counted.headers.set("X-Trips", JSON.stringify(trips));
    return counted;
  },
} satisfies ExportedHandler<Env>;
