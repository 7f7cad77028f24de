import { DurableObject } from "cloudflare:workers";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { waitAtMost } from "../core/timeout.ts";

/** Period in which wrong passwords are limited. */
const PERIOD_MS = MINUTE_MS;
/** Time that a try waits for running checks. A try with the right password frees its place. */
const WAIT_MS = 2 * SECOND_MS;
/** Maximum number of waiting tries. */
const WAITING_MAX = 200;

const TRIES_KEY = "tries";

/** Time of a try in Unix milliseconds, and its id. */
type Try = [atMs: number, id: string];

/** Verdict on a try. */
export interface TryVerdict {
  isAllowed: boolean;
  /** Time until another try is allowed. 0 if this try is allowed. */
  retryAfterMs: number;
}

const ALLOWED: TryVerdict = { isAllowed: true, retryAfterMs: 0 };

/**
 * Limits wrong passwords for one link or from one network. A try is durably counted before its password is
 * checked, and given back if the password is right. So no more wrong passwords than the limit are ever
 * checked in a minute, even if the object restarts. Tries are deleted after a minute.
 */
export class PasswordTries extends DurableObject {
  /** Tries whose check is running. Tries from before a restart count as wrong. */
  readonly #checking = new Set<string>();
  /** Callbacks that wake waiting tries. */
  readonly #waiting = new Set<() => void>();

  /** Counts a try before its password is checked. A retry with the same id counts once. */
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

  /** Records the result of a try. Right passwords are given back. */
  settle(tryId: string, isRight: boolean): void {
    if (isRight) this.#store(this.#listRecent(Date.now()).filter(([, id]) => id !== tryId));
    this.#checking.delete(tryId);
    for (const wake of this.#waiting) wake();
  }

  /** Deletes tries that are older than the period. */
  override async alarm(): Promise<void> {
    const tries = this.#listRecent(Date.now());
    const [oldest] = tries;
    const ids = new Set(tries.map(([, id]) => id));
    // A visit that was interrupted never settles its try.
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
