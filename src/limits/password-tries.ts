import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { waitAtMost } from "../core/timeout.ts";

/** Period in which wrong tries are limited. */
const PERIOD_MS = MINUTE_MS;
/** Time for which a try waits for others that are being checked: those with the right password make room again. */
const WAIT_MS = 2 * SECOND_MS;
/** Number of tries that wait at a time. */
const WAITING_MAX = 200;

const TRIES_KEY = "tries";

/** Time of a try in Unix milliseconds, and its id. */
type Try = [atMs: number, id: string];

/** Decision on a try. */
export interface TryVerdict {
  isAllowed: boolean;
  /** Time until another try is allowed; 0 for one that is. */
  retryAfterMs: number;
}

const ALLOWED: TryVerdict = { isAllowed: true, retryAfterMs: 0 };

/**
 * Limits wrong passwords for one link, or from one network. A try is counted, durably, before the password is checked, and
 * is given back if the password is right. So no more wrong passwords than the limit are ever checked in a minute, also if
 * the object is restarted. Nothing stays stored for longer.
 */
export class PasswordTries extends DurableObject {
  /** Tries that are being checked. Those of before a restart count as wrong. */
  readonly #checking = new Set<string>();
  /** Functions that wake the tries that wait for them. */
  readonly #waiting = new Set<() => void>();

  /** Counts a try that is about to be checked. A call that is repeated with the same id counts once. */
  async take(tryId: string, triesMax: number): Promise<TryVerdict> {
    const untilMs = Date.now() + WAIT_MS;
    for (;;) {
      const nowMs = Date.now();
      const tries = this.#listRecent(nowMs);
      if (tries.some(([, id]) => id === tryId)) return ALLOWED;
      const oldest = tries.at(-triesMax);
      if (oldest === undefined) {
        this.#checking.add(tryId);
        this.#store([...tries, [nowMs, tryId]]);
        if (tries.length === 0) await this.ctx.storage.setAlarm(nowMs + PERIOD_MS);
        return ALLOWED;
      }
      const mayMakeRoom = tries.some(([, id]) => this.#checking.has(id));
      if (!mayMakeRoom || nowMs >= untilMs || this.#waiting.size >= WAITING_MAX)
        return { isAllowed: false, retryAfterMs: oldest[0] + PERIOD_MS - nowMs };
      await this.#waitForOthers(untilMs - nowMs);
    }
  }

  /** Tells the outcome of a try. A right one is given back. */
  settle(tryId: string, isRight: boolean): void {
    if (isRight) this.#store(this.#listRecent(Date.now()).filter(([, id]) => id !== tryId));
    this.#checking.delete(tryId);
    for (const wake of this.#waiting) wake();
  }

  /** Deletes what is older than the period. */
  override async alarm(): Promise<void> {
    const tries = this.#listRecent(Date.now());
    const [oldest] = tries;
    const ids = new Set(tries.map(([, id]) => id));
    // A visit that died does not tell the outcome of its try.
    for (const id of this.#checking) if (!ids.has(id)) this.#checking.delete(id);
    if (oldest === undefined) {
      await this.ctx.storage.deleteAll();
    } else {
      this.#store(tries);
      await this.ctx.storage.setAlarm(oldest[0] + PERIOD_MS);
    }
  }

  #listRecent(nowMs: number): Try[] {
    const tries = this.ctx.storage.kv.get<Try[]>(TRIES_KEY) ?? [];
    return tries.filter(([atMs]) => nowMs - atMs < PERIOD_MS);
  }

  #store(tries: readonly Try[]): void {
    this.ctx.storage.kv.put(TRIES_KEY, tries);
  }

  async #waitForOthers(durationMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    await waitAtMost(promise, durationMs);
    this.#waiting.delete(resolve);
  }
}
