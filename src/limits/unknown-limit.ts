import { ByteBoundedMap } from "../caching/byte-bounded-map.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { SECOND_MS } from "../core/time.ts";
import { withTimeout } from "../core/timeout.ts";
import { toNetwork } from "../routing/network.ts";
import { describeClient } from "./client-name.ts";
import { type TokenBucket, takeToken } from "./token-bucket.ts";

/**
 * Period of the rate limit binding. It must equal the period in wrangler.toml, which also sets the limit of
 * 60.
 */
const PERIOD_MS = 10 * SECOND_MS;
/** Timeout of the binding, which counts in memory. */
const COUNT_TIMEOUT_MS = 50;
const NETWORKS_BYTES_MAX = 500_000;
const NUMBER_BYTES = 16;

/**
 * Spare look-ups of a network beyond the limit. A client (a program or browser in the network) has fewer than
 * its network, so that one client's guesses leave look-ups for the others.
 */
const CLIENT_SPARE = { capacity: 20, perSecond: 2 };
const NETWORK_SPARE = { capacity: 40, perSecond: 4 };
const SPARES_BYTES_MAX = 500_000;
const BUCKET_BYTES = 112;
/** Seconds until a client has a spare look-up again. */
const SPARE_RETRY_SECONDS = 1;

const FOUND_BYTES_MAX = 500_000;

/** Networks that exceeded the limit, with the time until which they are limited. */
const limitedUntil = new ByteBoundedMap<number>(NETWORKS_BYTES_MAX);
/** Spare look-ups left, by network and by client. */
const spares = new ByteBoundedMap<TokenBucket>(SPARES_BYTES_MAX);
/** Keys that this isolate has found. They are looked up again for every network. */
const found = new ByteBoundedMap<true>(FOUND_BYTES_MAX);

/**
 * Maximum number of keys that a network looks up at the same time without spare look-ups, as many as the binding
 * allows. The binding counts a look-up only when it has found nothing, and a network can send thousands before.
 */
const RUNNING_MAX = 60;
const RUNNING_BYTES_MAX = 500_000;
const RUNNING_NETWORK_BYTES = 8_000;
/** Keys that each network is looking up, with the time of the start. A cancelled request never removes its key. */
const running = new ByteBoundedMap<Map<string, number>>(RUNNING_BYTES_MAX);

/** Kind of look-ups that have a limit of their own. */
export type UnknownKind = "code" | "api key" | "session" | "scim token" | "sign-in" | "bio slug" | "report";

/** Thrown instead of reading the database if the client looked up too many things that don't exist. */
export class UnknownLimitError extends Error {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super("too many look-ups of unknown things");
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * Limit of look-ups that find nothing, such as unknown short codes or API keys, for the client of one request
 * and one kind of look-up. Counts by the network of the IP address that Cloudflare reports. Beyond the limit,
 * a network has a few spare look-ups. Only those that find nothing use them up, so that people who share an
 * IP address with someone who guesses still get what exists. Without an IP address, as in tests, nothing is
 * limited.
 */
export class UnknownLimit {
  readonly #limiter: RateLimit;
  readonly #headers: Headers;
  readonly #nowMs: number;
  readonly #kind: UnknownKind;
  #isCounted = false;
  /** Names of the buckets that the current look-up took a token from. */
  #taken: readonly string[] = [];

  constructor(limiter: RateLimit, headers: Headers, nowMs: number, kind: UnknownKind = "code") {
    this.#limiter = limiter;
    this.#headers = headers;
    this.#nowMs = nowMs;
    this.#kind = kind;
  }

  /** Key of the client's network. Computed on demand, because requests served from memory don't need it. */
  get #network(): string | null {
    const network = toNetwork(this.#headers.get("CF-Connecting-IP"));
    return network === null || this.#kind === "code" ? network : `${this.#kind} ${network}`;
  }

  /** True if the network exceeded the limit in the last 10 seconds, or has too many look-ups running. */
  get isExceeded(): boolean {
    const network = this.#network;
    if (network === null) return false;
    return this.#nowMs < (limitedUntil.get(network) ?? 0) || this.#countRunning(network) >= RUNNING_MAX;
  }

  /**
   * Takes a spare look-up if the network exceeded the limit. Throws an {@link UnknownLimitError} if none is
   * left.
   */
  takeSpare(): void {
    const network = this.#network;
    if (network === null || !this.isExceeded) return;
    const takes = [
      { name: `${network} ${describeClient(this.#headers)}`, budget: CLIENT_SPARE },
      { name: network, budget: NETWORK_SPARE },
    ].map(({ name, budget: { capacity, perSecond } }) => ({
      name,
      ...takeToken(spares.get(name), perSecond, this.#nowMs, capacity),
    }));
    if (!takes.every(({ isTaken }) => isTaken)) throw new UnknownLimitError(SPARE_RETRY_SECONDS);
    for (const { name, bucket } of takes) spares.set(name, bucket, BUCKET_BYTES);
    this.#taken = takes.map(({ name }) => name);
  }

  /**
   * Counts the request before it causes something that costs more than a look-up, so that parallel requests can't
   * exceed the limit. Throws an {@link UnknownLimitError} beyond the limit if no spare look-up is left.
   */
  async reserve(): Promise<void> {
    if (this.#taken.length > 0) return;
    if (!this.isExceeded) await this.count();
    this.takeSpare();
  }

  /** Returns the spare look-up, because it found something. */
  returnSpare(): void {
    for (const name of this.#taken) {
      const bucket = spares.get(name);
      if (bucket !== undefined) bucket.tokens += 1;
    }
    this.#taken = [];
  }

  /**
   * Counts the request as a look-up that found nothing, at most once. If the binding fails or times out, no
   * client is limited.
   */
  async count(): Promise<void> {
    const network = this.#network;
    if (network === null || this.#isCounted || this.#taken.length > 0) return;
    this.#isCounted = true;
    try {
      const { success } = await withTimeout(this.#limiter.limit({ key: network }), COUNT_TIMEOUT_MS);
      if (!success) limitedUntil.set(network, this.#nowMs + PERIOD_MS, NUMBER_BYTES);
    } catch (error) {
      logRecurringError("the limit of unknown codes failed", error);
    }
  }

  /**
   * Performs a look-up that returns null if nothing is found. Keys that this isolate found before are always
   * looked up. Throws an {@link UnknownLimitError} instead of looking up other keys if the client has none
   * left.
   */
  async lookUp<Value>(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    const name = `${this.#kind} ${key}`;
    const isNew = found.get(name) === undefined;
    if (isNew) this.takeSpare();
    const value = await (isNew ? this.#run(name, read) : read());
    if (value === null) {
      found.delete(name);
      await this.count();
    } else {
      this.returnSpare();
      found.set(name, true, NUMBER_BYTES);
    }
    return value;
  }

  /** Performs a look-up that may find nothing, as one of the network's running ones. */
  async #run<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
    const network = this.#network;
    if (network === null) return read();
    const names = running.get(network) ?? new Map<string, number>();
    names.set(name, this.#nowMs);
    running.set(network, names, RUNNING_NETWORK_BYTES);
    try {
      return await read();
    } finally {
      names.delete(name);
      if (names.size === 0) running.delete(network);
    }
  }

  /** Counts the network's running look-ups. Forgets those that started before the current period. */
  #countRunning(network: string): number {
    const names = running.get(network);
    if (names === undefined) return 0;
    for (const [name, startedAtMs] of names) {
      if (this.#nowMs - startedAtMs >= PERIOD_MS) names.delete(name);
    }
    return names.size;
  }
}
