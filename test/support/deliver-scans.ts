import { createExecutionContext, createMessageBatch, waitOnExecutionContext } from "cloudflare:test";
import type { Window } from "../../src/counting/window.ts";
import worker from "../../src/index.ts";
import type { ScanFacts } from "../../src/scans/scan-facts.ts";

/** Delivers windows of scans to the Worker's queue handler, in one batch. */
export async function deliverScans(env: Env, ...windows: Window<ScanFacts>[]): Promise<void> {
  const messages = windows.map((body) => ({
    id: crypto.randomUUID(),
    timestamp: new Date(),
    attempts: 1,
    body,
  }));
  const context = createExecutionContext();
  await worker.queue(createMessageBatch("signpost-scans", messages), env, context);
  await waitOnExecutionContext(context);
}
