import type { DemoStorage } from "./demo-world.ts";
import { fillDemo } from "./fill-demo.ts";

/** Cache that stores nothing. The service has its own caches, so entries of this Worker would be unused. */
const NO_CACHE = { match: async () => undefined, put: async () => {}, delete: async () => false };

/** Worker that fills the demo workspace. The service's functions need the environment of a Worker. */
export default {
  async fetch(request: Request, env: DemoStorage): Promise<Response> {
    Object.defineProperty(globalThis, "caches", { value: { default: NO_CACHE } });
    await fillDemo(env, await request.json());
    return new Response("filled");
  },
};
