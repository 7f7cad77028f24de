import { createMemoryWorkspace } from "./memory-service.ts";

/**
 * Connects component tests to the service. No import joins both, because the tests use browser types and the
 * service Worker types. The dashboard keeps the `fetch` it finds at its evaluation, so this function calls
 * the one set by the running file.
 */
const page = globalThis as unknown as { respond(request: unknown): Promise<Response> };
Object.assign(globalThis, {
  createMemoryWorkspace,
  fetch: (input: RequestInfo, init?: RequestInit) => page.respond(new Request(input, init)),
});
