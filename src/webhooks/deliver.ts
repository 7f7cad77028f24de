import type { SealKey } from "../core/seal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { getSettings, type Settings } from "../env.ts";
import { attempt } from "./attempt.ts";
import { type Claim, type Claims, claimDeliveries, recordAttempt } from "./due-deliveries.ts";
import { type EndpointHealth, FAILURES_MAX } from "./endpoint-health.ts";
import { EndpointLoad, SLOW_AFTER_MS } from "./endpoint-load.ts";
import { deriveSecretKey, disableWebhook, signingSecrets, type Webhook } from "./endpoints.ts";
import type { DeliveryMessage } from "./events.ts";
import { queueDeliveries } from "./outbox.ts";

/** Time from each failure to the retry after it (contract section 6). */
const RETRY_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

const EARLY_DELAY_SECONDS = 1;
const UNAVAILABLE_DELAY_SECONDS = 5;
const PUT_OFF_MAX_SECONDS = 60;

/** Of this isolate; it is worth nothing elsewhere or later. */
const load = new EndpointLoad();

/** What the consumer works with. */
export interface DeliveryContext {
  db: Database;
  settings: Settings;
  secretKey: SealKey;
  health: DurableObjectNamespace<EndpointHealth>;
  queue: Queue<DeliveryMessage>;
  /** Time from each failure to its retry; a failure after the last is final. */
  retryDelaysMs: readonly number[];
  /** Runs on after the batch. */
  waitUntil(promise: Promise<unknown>): void;
}

/** A courier with the bindings of this Worker. Throws if `WEBHOOK_KEY` is missing or short. */
export async function createDeliveryContext(
  env: Env,
  waitUntil: (promise: Promise<unknown>) => void,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<DeliveryContext> {
  return {
    db: openDatabase(env.DB),
    settings: getSettings(env),
    secretKey: await deriveSecretKey(env.WEBHOOK_KEY),
    health: env.ENDPOINT_HEALTH,
    queue: env.DELIVERY_QUEUE,
    retryDelaysMs,
    waitUntil,
  };
}

/**
 * Makes the attempts that a queue batch asks for, all at a time. Claimed deliveries are acknowledged at once: from then on
 * the database, not the queue, remembers them. The batch waits {@link SLOW_AFTER_MS} at most, and not at all for endpoints
 * known to be slow, whose attempts run on beside the batches that follow.
 */
export async function deliverBatch(
  batch: MessageBatch<DeliveryMessage>,
  courier: DeliveryContext,
): Promise<void> {
  const messages = batch.messages.filter((message) => {
    const isPutOff = load.isFull(message.body.webhookId);
    if (isPutOff) message.retry({ delaySeconds: putOffSeconds(message.attempts) });
    return !isPutOff;
  });
  const claims = await claim(messages, courier);
  const waitedFor: Promise<void>[] = [];
  for (const claimed of claims) {
    const { id } = claimed.webhook;
    const isSlow = load.isSlow(id);
    const made = load.run(id, () => deliver(claimed, courier));
    courier.waitUntil(made);
    if (!isSlow) waitedFor.push(made);
  }
  await Promise.race([Promise.all(waitedFor), new Promise((resolve) => setTimeout(resolve, SLOW_AFTER_MS))]);
}

/** 1, 2, 4, … seconds. */
function putOffSeconds(attempts: number): number {
  return Math.min(PUT_OFF_MAX_SECONDS, 2 ** (attempts - 1));
}

/** Settles the messages by what the database says of their deliveries, and answers with those that are ours to make. */
async function claim(
  messages: readonly Message<DeliveryMessage>[],
  { db }: DeliveryContext,
): Promise<Claim[]> {
  if (messages.length === 0) return [];
  let found: Claims;
  try {
    found = await claimDeliveries(
      db,
      messages.map(({ body }) => body),
      Date.now(),
    );
  } catch (error) {
    console.error("deliveries cannot be claimed; the queue will bring them again", error);
    for (const message of messages) message.retry({ delaySeconds: UNAVAILABLE_DELAY_SECONDS });
    return [];
  }
  for (const message of messages) {
    if (found.early.has(message.body.deliveryId)) message.retry({ delaySeconds: EARLY_DELAY_SECONDS });
    else message.ack();
  }
  return found.claims;
}

/** One attempt and what follows from it. Never fails: what is not recorded is found by the sweep. */
async function deliver({ delivery, webhook, isOwnDomain }: Claim, courier: DeliveryContext): Promise<void> {
  const { db, settings, retryDelaysMs, queue } = courier;
  try {
    const outcome = await attempt(
      {
        url: webhook.url,
        ownDomains: new Set(isOwnDomain ? [webhook.hostname] : []),
        deliveryId: delivery.id,
        eventType: delivery.eventType,
        payload: delivery.payload,
        secrets: () => signingSecrets(webhook, courier.secretKey, Date.now()),
      },
      settings,
    );
    const nowMs = Date.now();
    const delayMs = retryDelaysMs[delivery.attempts - delivery.attemptsBefore];
    const retryAtMs = outcome.succeeded || delayMs === undefined ? null : nowMs + delayMs;
    const [isToRetry] = await Promise.all([
      recordAttempt(db, delivery, outcome, retryAtMs),
      recordHealth(webhook, outcome.succeeded, courier),
    ]);
    if (isToRetry && delayMs !== undefined) {
      const message = { deliveryId: delivery.id, webhookId: webhook.id };
      await queueDeliveries(queue, [message], Math.ceil(delayMs / SECOND_MS));
    }
  } catch (error) {
    console.error(`delivery ${delivery.id} was interrupted; the sweep will find it`, error);
  }
}

/** Counts the outcome for the endpoint, and disables it when it has failed too often. */
async function recordHealth(webhook: Webhook, succeeded: boolean, courier: DeliveryContext): Promise<void> {
  const failures = await courier.health.getByName(webhook.id).record(succeeded);
  if (failures < FAILURES_MAX) return;
  const { db, queue } = courier;
  await disableWebhook(
    {
      db,
      nowMs: Date.now(),
      queueDeliveries: (messages) => courier.waitUntil(queueDeliveries(queue, messages)),
    },
    webhook,
  );
}
