import type { PageVisit } from "./bio/page-counts.ts";
import type { Window } from "./counting/window.ts";
import { parseQueueName } from "./dead-letters/queue-name.ts";
import type { ScanFacts } from "./scans/scan-facts.ts";
import type { WakeUpMessage } from "./webhooks/delivery-state.ts";

/**
 * Passes a batch of queue messages to the consumer of its queue. Throws an `Error` if the queue's kind is
 * unknown.
 */
export async function consume(
  batch: MessageBatch<unknown>,
  env: Env,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const name = parseQueueName(batch.queue);
  if (name === null) throw new Error("a queue without a consumer: its name does not end with a known kind");
  if (name.isDead) {
    const { keepDeadLetters } = await import("./dead-letters/dead-letters.ts");
    const { openDatabase } = await import("./db/database.ts");
    return keepDeadLetters(batch, name.kind, openDatabase(env.DIRECTORY));
  }
  switch (name.kind) {
    case "scans": {
      const { ingestScans } = await import("./analytics/ingest.ts");
      const { sendWakeUps } = await import("./webhooks/wake-ups.ts");
      const woken = await ingestScans(batch as MessageBatch<Window<ScanFacts>>, env, Date.now());
      for (const { shard, wakeUps } of woken) await sendWakeUps(env.DELIVERY_QUEUE, shard, wakeUps);
      return;
    }
    case "page-hits": {
      const { countVisitBatch } = await import("./bio/page-counts.ts");
      return countVisitBatch(batch as MessageBatch<Window<PageVisit>>, env, Date.now());
    }
    case "deliveries": {
      const { createDeliveryContext, deliverBatch } = await import("./webhooks/deliver.ts");
      const delivery = await createDeliveryContext(env, (promise) => context.waitUntil(promise));
      return deliverBatch(batch as MessageBatch<WakeUpMessage>, delivery);
    }
  }
}
