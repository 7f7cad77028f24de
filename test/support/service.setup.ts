import { createRequire } from "node:module";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server of `services.ts`. */
    servicesUrl: string;
  }
}

/**
 * Node loads the server and the service's modules itself, as for `npm run dev`. Vitest would transform 290 modules once more,
 * only for its main process.
 */
const { serve } = createRequire(import.meta.url)("./services.ts") as typeof import("./services.ts");

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, close } = await serve();
  project.provide("servicesUrl", url);
  return close;
}
