import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { toNetwork } from "../routing/network.ts";

/**
 * Period of the rate limit binding. It must equal the period in wrangler.toml, which also sets the limit of
 * 60.
 */
const PERIOD_MS = 10 * SECOND_MS;
/** Timeout of the binding, which counts in memory. */
const COUNT_TIMEOUT_MS = 50;
const NETWORKS_BYTES_MAX = 500_000;
const NUMBER_BYTES = 16;

/** Networks that exceeded the limit, with the time until which they are blocked. */
const refusedUntil = new ByteBoundedMap<number>(NETWORKS_BYTES_MAX);

/** Thrown instead of reading the database if the visitor tried too many unknown short codes. */
export class UnknownLimitError extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("too many unknown short codes");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Limit of unknown codes for the visitor of one request, by the network of the IP address that Cloudflare
 * reports. Only codes that turned out to be unknown in the database count. Without an IP address, as in
 * tests, nothing is limited.
 */
export class UnknownLimit {
  readonly #limiter: RateLimit;
  readonly #headers: Headers;
  readonly #nowMs: number;
  #isCounted = false;

  constructor(limiter: RateLimit, headers: Headers, nowMs: number) {
    this.#limiter = limiter;
    this.#headers = headers;
    this.#nowMs = nowMs;
  }

  /** Network of the visitor. Computed on demand, because requests served from memory don't need it. */
  get #network(): string | null {
    return toNetwork(this.#headers.get("CF-Connecting-IP"));
  }

  /** Seconds until the visitor may try unknown codes again, or 0. */
  get retryAfterSeconds(): number {
    const network = this.#network;
    const untilMs = network === null ? undefined : refusedUntil.get(network);
    return untilMs === undefined ? 0 : Math.max(Math.ceil((untilMs - this.#nowMs) / SECOND_MS), 0);
  }

  /** Throws an {@link UnknownLimitError} if the visitor tried too many unknown short codes. */
  assertOpen(): void {
    const seconds = this.retryAfterSeconds;
    if (seconds > 0) throw new UnknownLimitError(seconds);
  }

  /**
   * Counts the request for an unknown code, at most once. If the binding fails or times out, no visitor is
   * blocked.
   */
  async count(): Promise<void> {
    const network = this.#network;
    if (network === null || this.#isCounted) return;
    this.#isCounted = true;
    try {
      const { success } = await withTimeout(this.#limiter.limit({ key: network }), COUNT_TIMEOUT_MS);
      if (!success) refusedUntil.set(network, this.#nowMs + PERIOD_MS, NUMBER_BYTES);
    } catch (error) {
      logRecurringError("the limit of unknown codes failed", error);
    }
  }
}
