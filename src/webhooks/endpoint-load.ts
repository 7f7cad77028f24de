/** An attempt that lasts longer is not waited for by the batch it came in. */
export const SLOW_AFTER_MS = 500;

/** Most attempts at one slow endpoint that an isolate makes at a time. */
const ATTEMPTS_MAX = 40;

/**
 * How busy each endpoint keeps this isolate: known here alone and forgotten with it. It lets one that hangs delay nobody
 * but itself.
 */
export class EndpointLoad {
  readonly #running = new Map<string, number>();
  readonly #slow = new Set<string>();

  /** Whether the endpoint is slow and has as many attempts before it as it may. */
  isFull(webhookId: string): boolean {
    return this.isSlow(webhookId) && (this.#running.get(webhookId) ?? 0) >= ATTEMPTS_MAX;
  }

  /** Whether the endpoint's attempts last longer than {@link SLOW_AFTER_MS}. */
  isSlow(webhookId: string): boolean {
    return this.#slow.has(webhookId);
  }

  /** Makes an attempt, and learns from how long it takes. */
  async run(webhookId: string, attempt: () => Promise<void>): Promise<void> {
    this.#running.set(webhookId, (this.#running.get(webhookId) ?? 0) + 1);
    let lasts = false;
    const timer = setTimeout(() => {
      lasts = true;
      this.#slow.add(webhookId);
    }, SLOW_AFTER_MS);
    try {
      await attempt();
    } finally {
      clearTimeout(timer);
      const others = (this.#running.get(webhookId) ?? 1) - 1;
      if (others === 0) this.#running.delete(webhookId);
      else this.#running.set(webhookId, others);
      if (others === 0 || !lasts) this.#slow.delete(webhookId);
    }
  }
}
