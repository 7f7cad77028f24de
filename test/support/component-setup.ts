import { createMemoryWorkspace } from "./memory-service.ts";

/**
 * Gives component tests their service. No import joins both: the tests are typed for browsers, the service for Workers.
 * The dashboard keeps the `fetch` that it finds when it is evaluated, so this one passes on what the running file set.
 */
const page = globalThis as unknown as { respond(request: unknown): Promise<Response> };
Object.assign(globalThis, {
  createMemoryWorkspace,
  fetch: (input: RequestInfo, init?: RequestInit) => page.respond(new Request(input, init)),
});
