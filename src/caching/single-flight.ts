import { SECOND_MS } from "../core/time.ts";

/** Age from which another request starts the work again. The request that started it may have been cancelled. */
const TAKEOVER_MS = SECOND_MS;
/** Maximum number of works that are remembered. Work that is forgotten goes on, and may be started twice. */
const FLIGHTS_MAX = 1_000;

/** Result of a work, or the error that ended it. */
type Outcome<Value> = { value: Value } | { error: unknown };

interface Flight<Value> {
  startedAtMs: number;
  /** Requests that wait. Whoever takes over serves them too. */
  waiters: Set<(outcome: Outcome<Value>) => void>;
}

/** Thrown by {@link SingleFlight.join} if there is no result in time. */
export class FlightTimeoutError extends Error {}

/**
 * Does a work once for all requests of an isolate that need it at the same time.
 *
 * No request awaits a promise of another: the runtime may have cancelled its owner, and the promise would never settle.
 * Each request waits for a promise of its own, with a timeout, and starts the work again if nothing came of it.
 */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Flight<Value>>();

  /**
   * Starts the work of a key, unless it is under way. Returns its promise, which never rejects and which the request
   * must keep alive with `waitUntil`. The work passes a result to `publish` as soon as it has one; it may go on after.
   */
  start(key: string, work: (publish: (value: Value) => void) => Promise<void>): Promise<void> | undefined {
    const nowMs = Date.now();
    const former = this.#flights.get(key);
    if (former !== undefined && nowMs >= former.startedAtMs && nowMs < former.startedAtMs + TAKEOVER_MS) {
      return undefined;
    }
    const flight: Flight<Value> = { startedAtMs: nowMs, waiters: former?.waiters ?? new Set() };
    this.#flights.delete(key);
    if (this.#flights.size >= FLIGHTS_MAX) this.#flights.delete(this.#flights.keys().next().value as string);
    this.#flights.set(key, flight);
    return this.#run(key, flight, work);
  }

  async #run(
    key: string,
    flight: Flight<Value>,
    work: (publish: (value: Value) => void) => Promise<void>,
  ): Promise<void> {
    // Lets the request that started the work register as a waiter first.
    await null;
    try {
      await work((value) => tell(flight, { value }));
    } catch (error) {
      tell(flight, { error });
    } finally {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    }
  }

  /**
   * Returns the result of the work of a key. `start` starts it where {@link start} finds it idle; it is called again
   * when the work takes long. Throws the error of the work, and a {@link FlightTimeoutError} after `timeoutMs`.
   */
  async join(key: string, timeoutMs: number, start: () => void): Promise<Value> {
    for (let leftMs = timeoutMs; leftMs > 0; leftMs -= TAKEOVER_MS) {
      start();
      const outcome = await this.#wait(key, Math.min(leftMs, TAKEOVER_MS));
      if (outcome === undefined) continue;
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    }
    throw new FlightTimeoutError(`no result within ${timeoutMs} ms`);
  }

  async #wait(key: string, timeoutMs: number): Promise<Outcome<Value> | undefined> {
    const waiters = this.#flights.get(key)?.waiters;
    const { promise, resolve } = Promise.withResolvers<Outcome<Value> | undefined>();
    const timer = setTimeout(resolve, timeoutMs);
    waiters?.add(resolve);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      waiters?.delete(resolve);
    }
  }
}

function tell<Value>({ waiters }: Flight<Value>, outcome: Outcome<Value>): void {
  for (const tellWaiter of waiters) tellWaiter(outcome);
  waiters.clear();
}
