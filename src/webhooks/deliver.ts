import { logError } from "../core/log.ts";
import type { SealKey } from "../core/seal.ts";
import { SECOND_MS } from "../core/time.ts";
import { sleep } from "../core/timeout.ts";
import { openShard, type ShardDatabase } from "../db/database.ts";
import { repeatOnce } from "../db/retry.ts";
import { getSettings, type Settings } from "../env.ts";
import { findLocations } from "../tenant/locations.ts";
import { getWaitingCap, type PlanName } from "../tenant/plans.ts";
import { attempt } from "./attempt.ts";
import { RETRY_DELAYS_MS, type WakeUpMessage } from "./delivery-state.ts";
import { type EndpointHealth, FAILURES_MAX } from "./endpoint-health.ts";
import { deriveSecretKey, disableWebhook, unsealSigningSecrets } from "./endpoints.ts";
import { fanOut } from "./fan-out.ts";
import { type DueDelivery, endTurn, type LaneTurn, startTurn, type TurnAttempt } from "./turn.ts";
import { sendWakeUps } from "./wake-ups.ts";

/** Delay before the queue repeats a wake-up that arrived before its delivery was due. */
const EARLY_DELAY_SECONDS = 1;
/** Delay before the queue repeats a wake-up if the database was unavailable. */
const UNAVAILABLE_DELAY_SECONDS = 5;

/**
 * Maximum number of concurrent attempts in a turn. Workers limit an invocation to six connections that wait
 * for a response (https://developers.cloudflare.com/workers/platform/limits/), and the queue needs one.
 */
const ATTEMPTS_MAX = 5;
/** Time after which a turn starts no more attempts. */
const TURN_MS = SECOND_MS;

/**
 * Maximum number of concurrent turns in an isolate. It limits memory use: a turn holds up to half a megabyte.
 */
const ISOLATE_TURNS_MAX = 100;
/** Interval at which a wake-up checks for a free turn. */
const ISOLATE_POLL_MS = 20;
/** Number of turns running in this isolate. */
let isolateTurns = 0;

/** Resources of the delivery consumer. */
export interface DeliveryContext {
  /** Opens the database of a shard. Throws `MissingShardError`. */
  openShard(shard: number): ShardDatabase;
  /** Returns the plan of a workspace, or null if the workspace doesn't exist. */
  findPlan(workspaceId: string): Promise<PlanName | null>;
  settings: Settings;
  secretKey: SealKey;
  health: DurableObjectNamespace<EndpointHealth>;
  deliveryQueue: Queue;
  /** Delays between each failed attempt and its retry. When the last retry fails, the delivery fails. */
  retryDelaysMs: readonly number[];
  /** Keeps the invocation alive until the promise settles, even after the batch has ended. */
  waitUntil(promise: Promise<unknown>): void;
}

/** Resources of a turn: the consumer's resources and the lane's shard. */
type LaneContext = DeliveryContext & ShardDatabase;

/** Creates the delivery context from the Worker's bindings. Throws if `WEBHOOK_KEY` is missing or short. */
export async function createDeliveryContext(
  env: Env,
  waitUntil: (promise: Promise<unknown>) => void,
  retryDelaysMs: readonly number[] = RETRY_DELAYS_MS,
): Promise<DeliveryContext> {
  return {
    openShard: (shard) => openShard(env, shard),
    findPlan: async (workspaceId) =>
      (await findLocations(env.DIRECTORY, [workspaceId])).get(workspaceId)?.plan ?? null,
    settings: getSettings(env),
    secretKey: await deriveSecretKey(env),
    health: env.ENDPOINT_HEALTH,
    deliveryQueue: env.DELIVERY_QUEUE,
    retryDelaysMs,
    waitUntil,
  };
}

/**
 * Starts a turn (some attempts) for each lane (endpoint) that a queue batch wakes. Doesn't wait for the
 * attempts, so that an endpoint that hangs can't delay other endpoints. A message is acknowledged when its
 * turn has started. If the turn is then interrupted, its lease expires and the sweep wakes the lane again.
 */
export async function deliverBatch(
  batch: MessageBatch<WakeUpMessage>,
  context: DeliveryContext,
): Promise<void> {
  for (const message of batch.messages) {
    try {
      await wake(message, context);
    } catch (error) {
      logError("a wake-up failed; the queue will deliver it again", error);
      message.retry({ delaySeconds: UNAVAILABLE_DELAY_SECONDS });
    }
  }
}

async function wake(message: Message<WakeUpMessage>, delivery: DeliveryContext): Promise<void> {
  const { workspaceId, shard, lane } = message.body;
  const context: LaneContext = { ...delivery, ...delivery.openShard(shard) };
  if (lane === null) return fanOut(context, context.deliveryQueue, workspaceId, Date.now());
  while (isolateTurns >= ISOLATE_TURNS_MAX) {
    await sleep(ISOLATE_POLL_MS);
  }
  isolateTurns += 1;
  let isUnderWay = false;
  try {
    const turn = await startTurn(context.db, { workspaceId, lane }, Date.now());
    if (turn === "early") message.retry({ delaySeconds: EARLY_DELAY_SECONDS });
    if (turn === "early" || turn === null) return;
    isUnderWay = true;
    context.waitUntil(takeTurn(turn, context).finally(() => (isolateTurns -= 1)));
  } finally {
    if (!isUnderWay) isolateTurns -= 1;
  }
}

/**
 * Makes the attempts of a turn and ends the turn. Never throws: if the turn is interrupted, the sweep wakes
 * the lane again.
 */
async function takeTurn(turn: LaneTurn, context: LaneContext): Promise<void> {
  const { workspaceId, lane, webhook } = turn;
  try {
    const attempts = await makeAttempts(turn, context);
    const [next, failures] = await Promise.all([
      endTurn(context.db, turn, attempts, Date.now()),
      countFailures(turn, attempts, context),
    ]);
    if (failures >= FAILURES_MAX) await disable(turn, context);
    // If no attempt was made, the lane is still due, and waking it would repeat this forever.
    if (attempts.length > 0) await sendWakeUps(context.deliveryQueue, context.shard, next);
    for (const delaySeconds of listRetryDelays(attempts)) {
      await sendWakeUps(context.deliveryQueue, context.shard, [{ workspaceId, lane }], delaySeconds);
    }
  } catch (error) {
    logError(`a turn of the webhook ${webhook.id} was interrupted; the sweep will retry it`, error);
  }
}

/**
 * Returns the largest number of consecutive failures that the endpoint reached. Never throws: if counting
 * fails, later failures still count.
 */
async function countFailures(
  { webhook }: LaneTurn,
  attempts: readonly TurnAttempt[],
  { health }: DeliveryContext,
): Promise<number> {
  const [first] = attempts;
  if (first === undefined) return 0;
  const outcomes = attempts.map(({ outcome }) => outcome.succeeded);
  const turnId = `${first.delivery.id}/${first.delivery.attempts}`;
  try {
    return await repeatOnce(() => health.getByName(webhook.id).record(outcomes, turnId));
  } catch (error) {
    logError(`the failures of the webhook ${webhook.id} were not counted`, error);
    return 0;
  }
}

/** Disables the endpoint of a turn. Never throws: if disabling fails, the next failed attempt tries again. */
async function disable({ webhook }: LaneTurn, context: LaneContext): Promise<void> {
  try {
    const plan = await context.findPlan(webhook.workspaceId);
    if (plan === null) return;
    await disableWebhook({ ...context, nowMs: Date.now() }, webhook, getWaitingCap(plan));
  } catch (error) {
    logError(`the webhook ${webhook.id} was not disabled`, error);
  }
}

/** Makes the attempts of a turn in the order in which they are due, {@link ATTEMPTS_MAX} at a time. */
async function makeAttempts(turn: LaneTurn, context: DeliveryContext): Promise<TurnAttempt[]> {
  const endMs = Date.now() + TURN_MS;
  const waiting = [...turn.deliveries];
  const attempts: TurnAttempt[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      attempts.push(await makeAttempt(turn, next, context));
      if (Date.now() > endMs) return;
    }
  };
  await Promise.all(Array.from({ length: ATTEMPTS_MAX }, work));
  return attempts;
}

async function makeAttempt(
  { webhook, isOwnDomain }: LaneTurn,
  delivery: DueDelivery,
  { settings, secretKey, retryDelaysMs }: DeliveryContext,
): Promise<TurnAttempt> {
  const outcome = await attempt(
    {
      url: webhook.url,
      ownDomains: new Set(isOwnDomain ? [webhook.hostname] : []),
      deliveryId: delivery.id,
      eventType: delivery.eventType,
      payload: delivery.payload,
      isFirst: delivery.attempts === delivery.attemptsBefore,
      secrets: () => unsealSigningSecrets(webhook, secretKey, Date.now()),
    },
    settings,
  );
  const delayMs = retryDelaysMs[delivery.attempts - delivery.attemptsBefore];
  const retryAtMs = outcome.succeeded || delayMs === undefined ? null : Date.now() + delayMs;
  return { delivery, outcome, retryAtMs };
}

/** Returns the distinct delays, in whole seconds from now, after which retries of a turn are due. */
function listRetryDelays(attempts: readonly TurnAttempt[]): Set<number> {
  const nowMs = Date.now();
  const delaysMs = attempts.flatMap(({ retryAtMs }) => (retryAtMs === null ? [] : [retryAtMs - nowMs]));
  return new Set(delaysMs.map((delayMs) => Math.max(0, Math.ceil(delayMs / SECOND_MS))));
}
