import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { waitAtMost } from "../core/timeout.ts";
import { type TokenBucket, takeToken } from "./token-bucket.ts";

/** Period in which wrong passwords are limited. */
const PERIOD_MS = MINUTE_MS;
/**
 * Maximum number of wrong passwords per period: from one client (a browser or program), from one network (all
 * clients of an IPv4 address or an IPv6 /64), from one site (an IPv6 /48), and from all sites together.
 */
const CLIENT_MAX = 10;
const NETWORK_MAX = 30;
const SITE_MAX = 60;
const LINK_MAX = 100;
/**
 * Tries that each site keeps after the limit of all sites is reached, so that visitors of one site can't lock
 * out the visitors of other sites. Two limits bound these tries against guesses from hundreds of sites: one for all
 * sites of a provider (an IPv6 /32), so that they can't lock out visitors elsewhere, and one for all providers.
 */
const RESERVED = 3;
const PROVIDER_MAX = 300;
const TOTAL_MAX = 1_000;
/**
 * Checks of passwords, right ones included, because each costs about 20 ms of CPU. A class behind one address
 * opens a link within seconds, so a network has more than a client.
 */
const CLIENT_CHECKS = { capacity: 40, perSecond: 2 };
const NETWORK_CHECKS = { capacity: 120, perSecond: 6 };
/** Time in which an empty bucket of checks refills. */
const REFILL_MS = 20 * SECOND_MS;
const BUCKETS_MAX = 1_000;
/** Time that a try waits for running checks. A try with the right password frees its place. */
const WAIT_MS = 2 * SECOND_MS;
/** Maximum number of waiting tries. */
const WAITING_MAX = 200;

const TRIES_KEY = "tries";
const CLAIM_KEY = "claim";

/** Origin of a try, as hashes. A client belongs to a network, a network to a site, and a site to a provider. */
export interface TryOrigin {
  client: string;
  network: string;
  site: string;
  provider: string;
}

/** Try with its time in Unix milliseconds. */
interface Try extends TryOrigin {
  atMs: number;
  id: string;
}

/** Verdict on a try. */
export interface TryVerdict {
  isAllowed: boolean;
  /** Time until another try is allowed. 0 if this try is allowed. */
  retryAfterMs: number;
}

const ALLOWED: TryVerdict = { isAllowed: true, retryAfterMs: 0 };

/**
 * Limits wrong passwords for one link, or returns of one sign-in. A try is durably counted before its password is checked, and given
 * back if the password is right. So no more wrong passwords than the limits are ever checked in a minute,
 * even if the object restarts. Tries are deleted after a minute. Checks of right passwords are counted in
 * memory, because only their cost matters.
 */
export class PasswordTries extends DurableObject {
  /** Tries whose check is running. Tries from before a restart count as wrong. */
  readonly #checking = new Set<string>();
  /** Callbacks that wake waiting tries. */
  readonly #waiting = new Set<() => void>();
  /** Checks left, by client and by network. */
  readonly #checks = new Map<string, TokenBucket>();

  /** Counts a try before its password is checked. A retry with the same id counts once. */
  async take(id: string, origin: TryOrigin): Promise<TryVerdict> {
    const untilMs = Date.now() + WAIT_MS;
    for (;;) {
      const nowMs = Date.now();
      const tries = this.#listRecent(nowMs);
      if (tries.some((other) => other.id === id)) return ALLOWED;
      const full = listFullGroups(tries, origin);
      if (full.length === 0) {
        if (!this.#takeCheck(origin, nowMs)) return { isAllowed: false, retryAfterMs: SECOND_MS };
        this.#checking.add(id);
        this.#store([...tries, { atMs: nowMs, id, ...origin }]);
        if (tries.length === 0) await this.ctx.storage.setAlarm(nowMs + PERIOD_MS);
        return ALLOWED;
      }
      const mayMakeRoom = full.every((group) => group.some((other) => this.#checking.has(other.id)));
      if (!mayMakeRoom || nowMs >= untilMs || this.#waiting.size >= WAITING_MAX) {
        const freeAtMs = Math.max(...full.map(([oldest]) => (oldest as Try).atMs)) + PERIOD_MS;
        return { isAllowed: false, retryAfterMs: freeAtMs - nowMs };
      }
      await this.#waitForOthers(untilMs - nowMs);
    }
  }

  /** Records the result of a try. Right passwords are given back. */
  settle(id: string, isRight: boolean): void {
    if (isRight) this.#store(this.#listRecent(Date.now()).filter((other) => other.id !== id));
    this.#checking.delete(id);
    for (const wake of this.#waiting) wake();
  }

  /**
   * Returns true for the first id that claims this object, until `periodMs` have passed. For objects of proofs
   * that are valid once, such as the state of a sign-in, instead of a link.
   */
  async claim(id: string, periodMs: number): Promise<boolean> {
    const { storage } = this.ctx;
    const first = storage.kv.get<string>(CLAIM_KEY);
    if (first !== undefined) return first === id;
    storage.kv.put(CLAIM_KEY, id);
    await storage.setAlarm(Date.now() + periodMs);
    return true;
  }

  /** Deletes tries that are older than the period. */
  override async alarm(): Promise<void> {
    const tries = this.#listRecent(Date.now());
    const [oldest] = tries;
    const ids = new Set(tries.map(({ id }) => id));
    // A visit that was interrupted never settles its try.
    for (const id of this.#checking) if (!ids.has(id)) this.#checking.delete(id);
    if (oldest === undefined) {
      await this.ctx.storage.deleteAll();
    } else {
      this.#store(tries);
      await this.ctx.storage.setAlarm(oldest.atMs + PERIOD_MS);
    }
  }

  #listRecent(nowMs: number): Try[] {
    const tries = this.ctx.storage.kv.get<Try[]>(TRIES_KEY) ?? [];
    return tries.filter(({ atMs }) => nowMs - atMs < PERIOD_MS);
  }

  #store(tries: readonly Try[]): void {
    this.ctx.storage.kv.put(TRIES_KEY, tries);
  }

  /** Takes a check from the client and its network. Returns false if one of them has none left. */
  #takeCheck({ client, network }: TryOrigin, nowMs: number): boolean {
    if (this.#checks.size >= BUCKETS_MAX) {
      for (const [name, { atMs }] of this.#checks) if (nowMs - atMs >= REFILL_MS) this.#checks.delete(name);
    }
    const takes = [
      { name: `client ${client}`, budget: CLIENT_CHECKS },
      { name: `network ${network}`, budget: NETWORK_CHECKS },
    ].map(({ name, budget: { capacity, perSecond } }) => ({
      name,
      ...takeToken(this.#checks.get(name), perSecond, nowMs, capacity),
    }));
    if (!takes.every(({ isTaken }) => isTaken)) return false;
    for (const { name, bucket } of takes) this.#checks.set(name, bucket);
    return true;
  }

  async #waitForOthers(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await waitAtMost(promise, durationMs);
    this.#waiting.delete(resolve);
  }
}

/**
 * Returns the groups of tries that leave no room for another try from an origin. Of each group, only as many
 * of the latest tries as the limit allows, so that the first one is the next to make room.
 */
function listFullGroups(tries: readonly Try[], { client, network, site, provider }: TryOrigin): Try[][] {
  const ofSite = tries.filter((other) => other.site === site);
  const groups: [Try[], number][] = [
    [ofSite.filter((other) => other.client === client), CLIENT_MAX],
    [ofSite.filter((other) => other.network === network), NETWORK_MAX],
    [ofSite, SITE_MAX],
    [tries.filter((other) => other.provider === provider), PROVIDER_MAX],
    [[...tries], ofSite.length < RESERVED ? TOTAL_MAX : LINK_MAX],
  ];
  return groups.filter(([group, max]) => group.length >= max).map(([group, max]) => group.slice(-max));
}
