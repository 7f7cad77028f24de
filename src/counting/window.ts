import { uuidv7 } from "../core/id.ts";

/** A queue send costs several times what it counts, so the occurrences of an isolate share one. */
const WINDOW_MS = 250;
const OCCURRENCES_MAX = 100;
/**
 * Well below the 128 KB of a queue message. Facts count for each occurrence, though they are sent once: a consumer may
 * write them as often.
 */
const BYTES_MAX = 64_000;
/** What an occurrence is beside its facts, as JSON: `{"facts":,"timesMs":[1790000000000]},` at most. */
const OCCURRENCE_BYTES = 40;

/** A queue that refuses a window is asked again after each of these. The id makes a window that came twice count once. */
const SEND_RETRY_MS = [100, 1_000, 5_000];

/** What one isolate collected within a short window: one queue message. */
export interface Window<Facts> {
  /** Identifier by which a redelivered window is known. */
  id: string;
  groups: Group<Facts>[];
}

/** Occurrences that are alike in all but their time, so that what they share is sent and counted once. */
export interface Group<Facts> {
  facts: Facts;
  /** When each of them was, in Unix milliseconds. */
  timesMs: number[];
}

interface Open<Facts> {
  /** By their facts as JSON. */
  groups: Map<string, { group: Group<Facts>; bytes: number }>;
  occurrences: number;
  bytes: number;
  closesAtMs: number;
}

/**
 * Collects what is to be counted and sends it to a queue in windows: when one is full, or {@link WINDOW_MS} after its
 * first occurrence. Nothing of it is awaited by the request it counts.
 */
export class CountingWindow<Facts> {
  #open: Open<Facts> | null = null;

  /**
   * Adds an occurrence; facts are alike if their JSON is. The window leaves in the `waitUntil` of the request that
   * filled it, or of the one that opened it.
   */
  record(
    queue: Queue<Window<Facts>>,
    facts: Facts,
    nowMs: number,
    waitUntil: (promise: Promise<unknown>) => void,
  ): void {
    // A window past its time lost the request that was to close it; this request takes it over.
    const opens = this.#open === null || nowMs > this.#open.closesAtMs + WINDOW_MS;
    this.#open ??= { groups: new Map(), occurrences: 0, bytes: 0, closesAtMs: nowMs + WINDOW_MS };
    const window = this.#open;
    add(window, facts, nowMs);
    if (window.occurrences >= OCCURRENCES_MAX || window.bytes >= BYTES_MAX)
      waitUntil(this.#send(queue, window));
    else if (opens) waitUntil(this.#sendLater(queue, window));
  }

  async #sendLater(queue: Queue<Window<Facts>>, window: Open<Facts>): Promise<void> {
    window.closesAtMs = Date.now() + WINDOW_MS;
    await sleep(WINDOW_MS);
    if (this.#open === window) await this.#send(queue, window);
  }

  async #send(queue: Queue<Window<Facts>>, window: Open<Facts>): Promise<void> {
    this.#open = null;
    const message = { id: uuidv7(Date.now()), groups: [...window.groups.values()].map(({ group }) => group) };
    for (const delayMs of SEND_RETRY_MS) {
      try {
        await queue.send(message);
        return;
      } catch (error) {
        console.error(`a window of ${window.occurrences} could not be sent; trying again`, error);
        await sleep(delayMs);
      }
    }
    await queue.send(message);
  }
}

function add<Facts>(window: Open<Facts>, facts: Facts, nowMs: number): void {
  const key = JSON.stringify(facts);
  let alike = window.groups.get(key);
  if (alike === undefined) {
    alike = { group: { facts, timesMs: [] }, bytes: new TextEncoder().encode(key).byteLength };
    window.groups.set(key, alike);
  }
  alike.group.timesMs.push(nowMs);
  window.occurrences += 1;
  window.bytes += alike.bytes + OCCURRENCE_BYTES;
}

function sleep(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs));
}
