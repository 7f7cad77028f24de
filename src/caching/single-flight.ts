import { SECOND_MS } from "../core/time.ts";
import { sleep, waitAtMost } from "../core/timeout.ts";

/** Age from which another request starts a work again. The request that started it may have been cancelled. */
const TAKEOVER_MS = SECOND_MS;
/** Maximum number of works that are remembered. Work that is forgotten goes on, and may be started twice. */
const FLIGHTS_MAX = 1_000;
/** Pauses between two looks at a work of another request: the first, doubled each time, and the longest. */
const POLL_FIRST_MS = 1;
const POLL_LAST_MS = 16;

/** Does a work. It passes its result to `publish` as soon as it has one, and may go on after. */
export type Work<Value> = (publish: (value: Value) => void) => Promise<void>;

/** Result of a work, or the error that ended it. */
type Outcome<Value> = { value: Value } | { error: unknown };

/** Place for the outcome of a work. Whoever starts the work again uses the same. */
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
 * Does a work once for all requests of an isolate that need it at the same time.
 *
 * No request awaits a promise of another: the runtime refuses that, or never settles the promise if it cancelled the
 * request that owns it. A request that did not start the work looks at its outcome after short pauses instead, and
 * starts the work again if none appears.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  /**
   * Starts the work of a key, unless it is under way. `keepAlive` gets its promise, which never rejects; a request
   * passes it to `waitUntil`.
   */
  start(key: string, work: Work<Value>, keepAlive: (done: Promise<void>) => void): void {
    this.#start(key, work, keepAlive, () => {});
  }

  /**
   * Returns the result of the work of a key, and starts the work if it is not under way or takes long. Throws the error
   * of the work, and a {@link FlightTimeoutError} after `timeoutMs`.
   */
  async join(
    key: string,
    timeoutMs: number,
    work: Work<Value>,
    keepAlive: (done: Promise<void>) => void,
  ): Promise<Value> {
    for (let leftMs = timeoutMs; leftMs > 0; leftMs -= TAKEOVER_MS) {
      const waitMs = Math.min(leftMs, TAKEOVER_MS);
      const { promise: ended, resolve: markEnded } = Promise.withResolvers<void>();
      const { result, isOwn } = this.#start(key, work, keepAlive, markEnded);
      await (isOwn ? waitAtMost(ended, waitMs) : poll(result, waitMs));
      if (result.outcome === undefined) continue;
      if ("error" in result.outcome) throw result.outcome.error;
      return result.outcome.value;
    }
    throw new FlightTimeoutError(`no result within ${timeoutMs} ms`);
  }

  #start(
    key: string,
    work: Work<Value>,
    keepAlive: (done: Promise<void>) => void,
    onOutcome: () => void,
  ): { result: Result<Value>; isOwn: boolean } {
    const nowMs = Date.now();
    const former = this.#flights.get(key);
    if (former !== undefined && nowMs >= former.startedAtMs && nowMs < former.startedAtMs + TAKEOVER_MS) {
      return { result: former.result, isOwn: false };
    }
    // Requests that wait for a former work get the outcome of this one too.
    const result = former?.result.outcome === undefined ? former?.result : undefined;
    const flight: Flight<Value> = { startedAtMs: nowMs, result: result ?? {} };
    this.#flights.delete(key);
    if (this.#flights.size >= FLIGHTS_MAX) this.#flights.delete(this.#flights.keys().next().value as string);
    this.#flights.set(key, flight);
    keepAlive(this.#run(key, flight, work, onOutcome));
    return { result: flight.result, isOwn: true };
  }

  async #run(key: string, flight: Flight<Value>, work: Work<Value>, onOutcome: () => void): Promise<void> {
    const setOutcome = (outcome: Outcome<Value>) => {
      flight.result.outcome = outcome;
      onOutcome();
    };
    try {
      await work((value) => setOutcome({ value }));
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
