/** Duration after which an attempt counts as slow, and its batch no longer waits for it. */
export const SLOW_AFTER_MS = 500;

/** Maximum number of concurrent attempts of an isolate at one slow endpoint. */
const ATTEMPTS_MAX = 40;

/** Load of each endpoint in one isolate, so that an endpoint that hangs delays no other. */
export class EndpointLoad {
  readonly #running = new Map<string, number>();
  readonly #slow = new Set<string>();

  /** Returns true if the endpoint is slow and has {@link ATTEMPTS_MAX} attempts under way. */
  isFull(webhookId: string): boolean {
    return this.isSlow(webhookId) && (this.#running.get(webhookId) ?? 0) >= ATTEMPTS_MAX;
  }

  /** Returns true if the endpoint's last attempts took longer than {@link SLOW_AFTER_MS}. */
  isSlow(webhookId: string): boolean {
    return this.#slow.has(webhookId);
  }

  /** Runs an attempt, and marks the endpoint as slow or not by its duration. */
  async run(webhookId: string, attempt: () => Promise<void>): Promise<void> {
    this.#running.set(webhookId, (this.#running.get(webhookId) ?? 0) + 1);
    let wasSlow = false;
    const timer = setTimeout(() => {
      wasSlow = true;
      this.#slow.add(webhookId);
    }, SLOW_AFTER_MS);
    try {
      await attempt();
    } finally {
      clearTimeout(timer);
      const others = (this.#running.get(webhookId) ?? 1) - 1;
      if (others === 0) this.#running.delete(webhookId);
      else this.#running.set(webhookId, others);
      if (others === 0 || !wasSlow) this.#slow.delete(webhookId);
    }
  }
}
