import { uuidv7 } from "../core/id.ts";

/** A queue send costs several times what it counts, so the occurrences of an isolate share one. */
const WINDOW_MS = 250;
const ITEMS_MAX = 100;
/** Well below the 128 KB of a queue message. */
const BYTES_MAX = 64_000;

/** A queue that refuses a window is asked again after each of these. The id makes a window that came twice count once. */
const SEND_RETRY_MS = [100, 1_000, 5_000];

/** What one isolate collected within a short window: one queue message. */
export interface Window<Item> {
  /** Identifier by which a redelivered window is known. */
  id: string;
  items: Item[];
}

interface Open<Item> {
  items: Item[];
  bytes: number;
  closesAtMs: number;
}

/**
 * Collects what is to be counted and sends it to a queue in windows: when one is full, or {@link WINDOW_MS} after its
 * first item. Nothing of it is awaited by the request it counts.
 */
export class CountingWindow<Item> {
  #open: Open<Item> | null = null;

  /**
   * Adds an item of about `bytes` as JSON. The window leaves in the `waitUntil` of the request that filled it, or of
   * the one that opened it.
   */
  record(
    queue: Queue<Window<Item>>,
    item: Item,
    bytes: number,
    nowMs: number,
    waitUntil: (promise: Promise<unknown>) => void,
  ): void {
    // A window past its time lost the request that was to close it; this request takes it over.
    const opens = this.#open === null || nowMs > this.#open.closesAtMs + WINDOW_MS;
    this.#open ??= { items: [], bytes: 0, closesAtMs: nowMs + WINDOW_MS };
    const window = this.#open;
    window.items.push(item);
    window.bytes += bytes;
    if (window.items.length >= ITEMS_MAX || window.bytes >= BYTES_MAX) waitUntil(this.#send(queue, window));
    else if (opens) waitUntil(this.#sendLater(queue, window));
  }

  async #sendLater(queue: Queue<Window<Item>>, window: Open<Item>): Promise<void> {
    window.closesAtMs = Date.now() + WINDOW_MS;
    await sleep(WINDOW_MS);
    if (this.#open === window) await this.#send(queue, window);
  }

  async #send(queue: Queue<Window<Item>>, window: Open<Item>): Promise<void> {
    this.#open = null;
    const message = { id: uuidv7(Date.now()), items: window.items };
    for (const delayMs of SEND_RETRY_MS) {
      try {
        await queue.send(message);
        return;
      } catch (error) {
        console.error(`a window of ${message.items.length} could not be sent; trying again`, error);
        await sleep(delayMs);
      }
    }
    await queue.send(message);
  }
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
