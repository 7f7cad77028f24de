import { logError } from "../core/log.ts";
import type { SealKey } from "../core/seal.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { type Database, openDatabase } from "../db/database.ts";
import { repeatOnce } from "../db/retry.ts";
import { getSettings, type Settings } from "../env.ts";
import { attempt } from "./attempt.ts";
import type { DeliveryMessage } from "./delivery-state.ts";
import { type Claim, type Claims, claimDeliveries, recordAttempt } from "./due-deliveries.ts";
import { type EndpointHealth, FAILURES_MAX } from "./endpoint-health.ts";
import { EndpointLoad, SLOW_AFTER_MS } from "./endpoint-load.ts";
import { deriveSecretKey, disableWebhook, signingSecrets, type Webhook } from "./endpoints.ts";
import { queueDeliveries } from "./outbox.ts";

/** Time from each failed attempt to the retry after it. The documentation promises this schedule. */
const RETRY_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];

/** Delay of a message that arrived before its delivery was due. */
const EARLY_DELAY_SECONDS = 1;
/** Delay of messages whose deliveries the database could not claim. */
const UNAVAILABLE_DELAY_SECONDS = 5;
const BACKOFF_MAX_SECONDS = 60;

/** Load of each endpoint in this isolate. */
const load = new EndpointLoad();

/** Resources of the delivery consumer. */
export interface DeliveryContext {
  db: Database;
  settings: Settings;
  secretKey: SealKey;
  health: DurableObjectNamespace<EndpointHealth>;
  deliveryQueue: Queue;
  /** Time from each failed attempt to its retry. A failure after the last retry is final. */
  retryDelaysMs: readonly number[];
  /** Keeps the invocation alive until the promise settles, also after the batch. */
  waitUntil(promise: Promise<unknown>): void;
}

/** Creates the delivery context from the Worker's bindings. Throws if `WEBHOOK_KEY` is missing or short. */
export async function createDeliveryContext(
  env: Env,
  waitUntil: (promise: Promise<unknown>) => void,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<DeliveryContext> {
  return {
    db: openDatabase(env.DB),
    settings: getSettings(env),
    secretKey: await deriveSecretKey(env),
    health: env.ENDPOINT_HEALTH,
    deliveryQueue: env.DELIVERY_QUEUE,
    retryDelaysMs,
    waitUntil,
  };
}

/**
 * Makes the attempts of a queue batch concurrently. Claimed deliveries are acknowledged at once, since the database
 * tracks them from then on. The batch ends after {@link SLOW_AFTER_MS} at the latest and does not wait for endpoints
 * known to be slow; their attempts continue beside the next batches.
 */
export async function deliverBatch(
  batch: MessageBatch<DeliveryMessage>,
  context: DeliveryContext,
): Promise<void> {
  const messages = batch.messages.filter((message) => {
    const isFull = load.isFull(message.body.webhookId);
    if (isFull) message.retry({ delaySeconds: backoffSeconds(message.attempts) });
    return !isFull;
  });
  const claims = await claim(messages, context);
  const awaited: Promise<void>[] = [];
  for (const claimed of claims) {
    const { id } = claimed.webhook;
    const isSlow = load.isSlow(id);
    const delivery = load.run(id, () => deliver(claimed, context));
    context.waitUntil(delivery);
    if (!isSlow) awaited.push(delivery);
  }
  await Promise.race([Promise.all(awaited), new Promise((resolve) => setTimeout(resolve, SLOW_AFTER_MS))]);
}

/** Returns 1, 2, 4, … seconds for attempts 1, 2, 3, … */
function backoffSeconds(attempts: number): number {
  return Math.min(BACKOFF_MAX_SECONDS, 2 ** (attempts - 1));
}

/** Claims the deliveries of the messages, and acknowledges or retries each message accordingly. Returns the claims. */
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
    logError("claiming deliveries failed; the queue will deliver their messages again", error);
    for (const message of messages) message.retry({ delaySeconds: UNAVAILABLE_DELAY_SECONDS });
    return [];
  }
  for (const message of messages) {
    if (found.early.has(message.body.deliveryId)) message.retry({ delaySeconds: EARLY_DELAY_SECONDS });
    else message.ack();
  }
  return found.claims;
}

/** Makes one attempt, records it and schedules its retry. Never throws: the sweep finds deliveries without a record. */
async function deliver({ delivery, webhook, isOwnDomain }: Claim, context: DeliveryContext): Promise<void> {
  const { db, settings, retryDelaysMs, deliveryQueue } = context;
  try {
    const outcome = await attempt(
      {
        url: webhook.url,
        ownDomains: new Set(isOwnDomain ? [webhook.hostname] : []),
        deliveryId: delivery.id,
        eventType: delivery.eventType,
        payload: delivery.payload,
        secrets: () => signingSecrets(webhook, context.secretKey, Date.now()),
      },
      settings,
    );
    const nowMs = Date.now();
    const delayMs = retryDelaysMs[delivery.attempts - delivery.attemptsBefore];
    const retryAtMs = outcome.succeeded || delayMs === undefined ? null : nowMs + delayMs;
    const [hasRetry] = await Promise.all([
      recordAttempt(db, delivery, outcome, retryAtMs),
      recordHealth(webhook, outcome.succeeded, context),
    ]);
    if (hasRetry && delayMs !== undefined) {
      const message = { deliveryId: delivery.id, webhookId: webhook.id };
      await queueDeliveries(deliveryQueue, [message], Math.ceil(delayMs / SECOND_MS));
    }
  } catch (error) {
    logError(`delivery ${delivery.id} was interrupted; the sweep will retry it`, error);
  }
}

/** Counts the outcome for the endpoint, and disables the endpoint after {@link FAILURES_MAX} consecutive failures. */
async function recordHealth(webhook: Webhook, succeeded: boolean, context: DeliveryContext): Promise<void> {
  const attemptId = crypto.randomUUID();
  const failures = await repeatOnce(() => context.health.getByName(webhook.id).record(succeeded, attemptId));
  if (failures >= FAILURES_MAX) await disableWebhook({ ...context, nowMs: Date.now() }, webhook);
}
