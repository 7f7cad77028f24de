import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { createDeliveryContext, type DeliveryContext, deliverBatch } from "../../src/webhooks/deliver.ts";
import type { DeliveryMessage } from "../../src/webhooks/events.ts";
import { workerEnv } from "./harness.ts";

interface Waiting {
  body: DeliveryMessage;
  attempts: number;
}

/**
 * A delivery queue that a test runs by hand, so that it can scale the retry schedule, lose messages and see what is
 * waiting. Delays are not waited for: a message that comes too early is brought again.
 */
export class TestQueue {
  waiting: Waiting[] = [];
  /** The Worker's `env` with this queue for its deliveries. */
  readonly env: Env;

  constructor(base: Env = workerEnv) {
    this.env = { ...base, DELIVERY_QUEUE: this as unknown as Queue };
  }

  async sendBatch(messages: Iterable<{ body: DeliveryMessage }>): Promise<void> {
    for (const { body } of messages) this.waiting.push({ body, attempts: 1 });
  }

  /** Brings one batch and waits until the attempts it asks for are over. */
  async bring(batch: Waiting[], retryDelaysMs: readonly number[]): Promise<void> {
    const context = createExecutionContext();
    const courier: DeliveryContext = await createDeliveryContext(
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
    const brought = { queue: "signpost-deliveries", messages } as unknown as MessageBatch<DeliveryMessage>;
    await deliverBatch(brought, courier);
    await waitOnExecutionContext(context);
  }

  /** Brings what is waiting, in batches, until nothing is. */
  async run(retryDelaysMs: readonly number[] = []): Promise<void> {
    while (this.waiting.length > 0) {
      await this.bring(this.waiting.splice(0, 5), retryDelaysMs);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}
