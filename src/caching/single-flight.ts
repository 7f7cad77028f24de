import { SECOND_MS } from "../core/time.ts";
import { sleep, waitAtMost } from "../core/timeout.ts";

/**
 * Age from which another request may start a task again, because the request that started it may have been
 * cancelled.
 */
const TAKEOVER_MS = SECOND_MS;
/**
 * Maximum number of running tasks that are tracked. Tasks beyond this number continue, but may be started
 * twice.
 */
const FLIGHTS_MAX = 1_000;
/**
 * Delay between two checks of another request's task: the first delay, doubled after each check, up to the
 * maximum.
 */
const POLL_FIRST_MS = 1;
const POLL_LAST_MS = 16;

/** Task. It passes its result to `publish` as soon as possible and may continue running. */
export type Task<Value> = (publish: (value: Value) => void) => Promise<void>;

/** Result of a task, or the error that ended it. */
type Outcome<Value> = { value: Value } | { error: unknown };

/** Holder for a task's outcome. If the task is started again, both runs share it. */
interface Result<Value> {
  outcome?: Outcome<Value>;
}

interface Flight<Value> {
  startedAtMs: number;
  result: Result<Value>;
}

/** Thrown by {@link SingleFlight.join} if there is no result in time. */
export class FlightTimeoutError extends Error {}

/**
 * Runs a task only once for all requests of an isolate that need it at the same time.
 *
 * Requests never await each other's promises: the runtime rejects that, or never settles the promise if the
 * request that created the promise was cancelled. Requests that didn't start the task poll its outcome
 * instead, and start the task again if there is no outcome after {@link TAKEOVER_MS}.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  /**
   * Starts the task of a key unless it is already running. Passes the task's promise, which never rejects, to
   * `keepAlive`. Callers pass `waitUntil`.
   */
  start(key: string, task: Task<Value>, keepAlive: (done: Promise<void>) => void): void {
    this.#start(key, task, keepAlive, () => {});
  }

  /**
   * Returns the result of a key's task. Starts the task if it isn't running or takes too long. Throws the
   * task's error, or a {@link FlightTimeoutError} after `timeoutMs`.
   */
  async join(
    key: string,
    timeoutMs: number,
    task: Task<Value>,
    keepAlive: (done: Promise<void>) => void,
  ): Promise<Value> {
    for (let leftMs = timeoutMs; leftMs > 0; leftMs -= TAKEOVER_MS) {
      const waitMs = Math.min(leftMs, TAKEOVER_MS);
      const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();
      const { result, isOwn } = this.#start(key, task, keepAlive, markEnded);
      await (isOwn ? waitAtMost(ended, waitMs) : poll(result, waitMs));
      if (result.outcome === undefined) continue;
      if ("error" in result.outcome) throw result.outcome.error;
      return result.outcome.value;
    }
    throw new FlightTimeoutError(`no result within ${timeoutMs} ms`);
  }

  #start(
    key: string,
    task: Task<Value>,
    keepAlive: (done: Promise<void>) => void,
    onOutcome: () => void,
  ): { result: Result<Value>; isOwn: boolean } {
    const nowMs = Date.now();
    const former = this.#flights.get(key);
    if (former !== undefined && nowMs >= former.startedAtMs && nowMs < former.startedAtMs + TAKEOVER_MS) {
      return { result: former.result, isOwn: false };
    }
    // Requests that are waiting for an earlier run also get the outcome of this run.
    const result = former?.result.outcome === undefined ? former?.result : undefined;
    const flight: Flight<Value> = { startedAtMs: nowMs, result: result ?? {} };
    this.#flights.delete(key);
    if (this.#flights.size >= FLIGHTS_MAX) this.#flights.delete(this.#flights.keys().next().value as string);
    this.#flights.set(key, flight);
    keepAlive(this.#run(key, flight, task, onOutcome));
    return { result: flight.result, isOwn: true };
  }

  async #run(key: string, flight: Flight<Value>, task: Task<Value>, onOutcome: () => void): Promise<void> {
    const setOutcome = (outcome: Outcome<Value>) => {
      flight.result.outcome = outcome;
      onOutcome();
    };
    try {
      await task((value) => setOutcome({ value }));
    } catch (error) {
      setOutcome({ error });
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }
}

async function poll<Value>(result: Result<Value>, timeoutMs: number): Promise<void> {
  let pauseMs = POLL_FIRST_MS;
  for (let waitedMs = 0; waitedMs < timeoutMs && result.outcome === undefined; waitedMs += pauseMs) {
    pauseMs = Math.min(waitedMs === 0 ? POLL_FIRST_MS : 2 * pauseMs, POLL_LAST_MS, timeoutMs - waitedMs);
    await sleep(pauseMs);
  }
}
