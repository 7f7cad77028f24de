import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { createDeliveryContext, type DeliveryContext, deliverBatch } from "../../src/webhooks/deliver.ts";
import type { WakeUpMessage } from "../../src/webhooks/delivery-state.ts";
import { workerEnv } from "./harness.ts";

interface QueuedMessage {
  body: WakeUpMessage;
  attempts: number;
}

/**
 * Delivery queue that a test runs manually. The test can scale the retry schedule, lose messages and inspect
 * the waiting ones. The queue ignores delays: a message that arrives too early is put back and delivered
 * again.
 */
export class TestQueue {
  waiting: QueuedMessage[] = [];
  /** The Worker's `env` with this queue as its delivery queue. */
  readonly env: Env;

  constructor(base: Env = workerEnv) {
    this.env = { ...base, DELIVERY_QUEUE: this as unknown as Queue };
  }

  async sendBatch(messages: Iterable<{ body: WakeUpMessage }>): Promise<void> {
    for (const { body } of messages) this.waiting.push({ body, attempts: 1 });
  }

  /** Delivers one batch to the consumer and waits until its attempts have ended. */
  async deliver(batch: QueuedMessage[], retryDelaysMs: readonly number[]): Promise<void> {
    const context = createExecutionContext();
    const deliveryContext: DeliveryContext = await createDeliveryContext(
      this.env,
      (promise) => context.waitUntil(promise),
      retryDelaysMs,
    );
    const messages = batch.map(({ body, attempts }) => ({
      id: crypto.randomUUID(),
      timestamp: new Date(),
      body,
      attempts,
      ack() {},
      retry: () => {
        this.waiting.push({ body, attempts: attempts + 1 });
      },
    }));
    const messageBatch = {
      queue: "signpost-deliveries",
      messages,
    } as unknown as MessageBatch<WakeUpMessage>;
    await deliverBatch(messageBatch, deliveryContext);
    await waitOnExecutionContext(context);
  }

  /** Delivers the waiting messages in batches until none is left. */
  async run(retryDelaysMs: readonly number[] = []): Promise<void> {
    while (this.waiting.length > 0) {
      await this.deliver(this.waiting.splice(0, 1), retryDelaysMs);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
