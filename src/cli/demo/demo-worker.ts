import type { DemoStorage } from "./demo-world.ts";
import { fillDemo } from "./fill-demo.ts";

/** Cache that stores nothing. The service has its own caches, so entries of this Worker would be unused. */
const NO_CACHE = { match: async () => undefined, put: async () => {}, delete: async () => false };

/** Worker that the first start runs once. Here the service's functions run in their usual environment. */
export default {
  async fetch(request: Request, env: DemoStorage): Promise<Response> {
    Object.defineProperty(globalThis, "caches", { value: { default: NO_CACHE } });
    await fillDemo(env, await request.json());
    return new Response("filled");
  },
};
