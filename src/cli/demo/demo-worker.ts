import type { DemoStorage } from "./demo-world.ts";
import { fillDemo } from "./fill-demo.ts";

/** Cache that keeps nothing. What this Worker would store, nobody would read: those of the service begin empty. */
const NO_CACHE = { match: async () => undefined, put: async () => {}, delete: async () => false };

/** Worker that the first start runs once, so that functions of the service run as in the service. */
export default {
  async fetch(request: Request, env: DemoStorage): Promise<Response> {
    Object.defineProperty(globalThis, "caches", { value: { default: NO_CACHE } });
    await fillDemo(env, await request.json());
    return new Response("filled");
  },
};
