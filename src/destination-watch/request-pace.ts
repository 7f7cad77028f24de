import { SECOND_MS } from "../core/time.ts";

/** Time between two requests to one host. */
const INTERVAL_MS = SECOND_MS;

/** Clock of a run, which tests replace. */
export interface Clock {
  now(): number;
  sleep(ms: number): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** Limits of a run. */
export interface RunLimits {
  requestsMax: number;
  /** Time after which no request starts, in Unix milliseconds. */
  endsAtMs: number;
}

/** Lets at most one request a second pass to each host, and bounds the requests of a run. */
export class RequestPace {
  readonly #clock: Clock;
  readonly #endsAtMs: number;
  #requestsLeft: number;
  /** Time of the next request to each host. */
  readonly #nextMs = new Map<string, number>();

  constructor(clock: Clock, { requestsMax, endsAtMs }: RunLimits) {
    this.#clock = clock;
    this.#requestsLeft = requestsMax;
    this.#endsAtMs = endsAtMs;
  }

  /** Waits until a request to the host may start. Returns false if the run has no time or requests left. */
  async take(hostname: string): Promise<boolean> {
    const nowMs = this.#clock.now();
    const startsAtMs = Math.max(nowMs, this.#nextMs.get(hostname) ?? 0);
    if (this.#requestsLeft <= 0 || startsAtMs >= this.#endsAtMs) return false;
    this.#requestsLeft -= 1;
    this.#nextMs.set(hostname, startsAtMs + INTERVAL_MS);
    if (startsAtMs > nowMs) await this.#clock.sleep(startsAtMs - nowMs);
    return true;
  }
}
