import { generateUuidv7 } from "../core/id.ts";
import { logError } from "../core/log.ts";
import { sleep } from "../core/timeout.ts";

/**
 * Duration of a window. Sending a queue message costs several times as much as an occurrence, so the
 * occurrences of an isolate share one message. A deployed isolate has one or two occurrences per second.
 * Together with the queue's batch timeout the duration stays below 5 seconds, and far below the 30 seconds
 * for which `waitUntil` keeps a request alive.
 */
const WINDOW_MS = 1_000;
const OCCURRENCES_MAX = 500;
/**
 * Maximum size of a window as JSON, well below the 128 KB of a queue message. Equal facts are sent only once.
 */
const BYTES_MAX = 64_000;
/** Maximum size of the facts if a consumer writes them once per occurrence. */
const EXPANDED_BYTES_MAX = 200_000;
/** Size of a group without its facts and times, as JSON: `{"facts":,"timesMs":[]},`. */
const GROUP_BYTES = 26;
/** Size of a time, as JSON: `1790000000000,`. */
const TIME_BYTES = 14;
/** Size of a visitor mark, as JSON: `"abcde",`. */
const MARK_BYTES = 8;

/**
 * Delays before each retry of a window that both queues rejected. Including the attempts, they stay below the
 * 30 seconds for which `waitUntil` keeps a request alive.
 */
const SEND_RETRY_MS = [100, 1_000, 5_000, 15_000];
/** Maximum number of windows of an isolate that wait for a retry, so that an outage can't fill its memory. */
const UNSENT_MAX = 200;
/**
 * Time after which a window no longer counts as waiting, because the request that was sending it has ended.
 */
const UNSENT_MS = 30_000;

/** Computes the mark of an occurrence's visitor, or an empty string if it is unknown. Never rejects. */
export type MarkVisitor = () => Promise<string>;

/** Occurrences that one isolate collected within {@link WINDOW_MS}. Sent as one queue message. */
export interface Window<Facts> {
  /** UUIDv7. A redelivered window has the same id. */
  id: string;
  groups: Group<Facts>[];
}

/** Occurrences with equal facts. The facts are sent and counted only once. */
export interface Group<Facts> {
  facts: Facts;
  /** Time of each occurrence in Unix milliseconds. */
  timesMs: number[];
  /** Visitor mark of each occurrence, empty if unknown. Missing if no occurrence has one. */
  visitors?: string[];
}

/** Queues for the windows of one consumer. */
export interface WindowQueues<Facts> {
  main: Queue<Window<Facts>>;
  /**
   * Queue for windows that the main queue rejects. The window's id prevents double counting if both queues
   * accept the window.
   */
  spare: Queue<Window<Facts>>;
}

interface OpenGroup<Facts> {
  facts: Facts;
  /** Size of the facts as JSON. */
  bytes: number;
  timesMs: number[];
  /** Functions that compute the mark of each occurrence, in the same order. */
  visitors: (MarkVisitor | undefined)[];
}

interface Open<Facts> {
  /** Groups by their facts as JSON. */
  groups: Map<string, OpenGroup<Facts>>;
  occurrences: number;
  bytes: number;
  expandedBytes: number;
  closesAtMs: number;
}

/**
 * Collects occurrences and sends them to a queue in windows: when a window is full, or {@link WINDOW_MS}
 * after its first occurrence. Requests don't wait for this.
 */
export class CountingWindow<Facts> {
  #open: Open<Facts> | null = null;
  /** Windows that are being sent, oldest first: the time at which sending began, by id. */
  readonly #unsent = new Map<string, number>();
  readonly #retryMs: readonly number[];

  /** `retryMs` replaces the retry delays in tests. */
  constructor(retryMs: readonly number[] = SEND_RETRY_MS) {
    this.#retryMs = retryMs;
  }

  /**
   * Adds an occurrence. Facts with equal JSON share a group. The window is sent in the `waitUntil` of the request
   * that filled it or that opened it. `markVisitor` is called then, because a promise in each request would cost more
   * than the mark itself.
   */
  record(
    queues: WindowQueues<Facts>,
    facts: Facts,
    nowMs: number,
    waitUntil: (promise: Promise<unknown>) => void,
    markVisitor?: MarkVisitor,
  ): void {
    // The request that should have sent an overdue window was cancelled, so this request takes over.
    const opens = this.#open === null || nowMs > this.#open.closesAtMs + WINDOW_MS;
    this.#open ??= {
      groups: new Map(),
      occurrences: 0,
      bytes: 0,
      expandedBytes: 0,
      closesAtMs: nowMs + WINDOW_MS,
    };
    const window = this.#open;
    add(window, facts, nowMs, markVisitor);
    if (isFull(window)) waitUntil(this.#send(queues, window));
    else if (opens) waitUntil(this.#sendLater(queues, window));
  }

  async #sendLater(queues: WindowQueues<Facts>, window: Open<Facts>): Promise<void> {
    window.closesAtMs = Date.now() + WINDOW_MS;
    await sleep(WINDOW_MS);
    if (this.#open === window) await this.#send(queues, window);
  }

  async #send(queues: WindowQueues<Facts>, window: Open<Facts>): Promise<void> {
    this.#open = null;
    const message = {
      id: generateUuidv7(Date.now()),
      groups: await Promise.all([...window.groups.values()].map(closeGroup)),
    };
    const delaysMs = this.#addUnsent(message.id) ? this.#retryMs : [];
    for (const delayMs of [0, ...delaysMs]) {
      if (delayMs > 0) await sleep(delayMs);
      if (await sendToEither(queues, message)) {
        this.#unsent.delete(message.id);
        return;
      }
    }
    this.#unsent.delete(message.id);
    logError(`${window.occurrences} occurrences are lost: both queues rejected them`);
  }

  /** Adds a window to those being sent. Returns false if {@link UNSENT_MAX} are already being sent. */
  #addUnsent(id: string): boolean {
    const nowMs = Date.now();
    for (const [waiting, sinceMs] of this.#unsent) {
      if (nowMs < sinceMs + UNSENT_MS) break;
      this.#unsent.delete(waiting);
    }
    if (this.#unsent.size >= UNSENT_MAX) return false;
    this.#unsent.set(id, nowMs);
    return true;
  }
}

/**
 * Sends a window to the main queue, or to the spare queue if the main queue rejects it. Returns false if both
 * queues reject it.
 */
async function sendToEither<Facts>(
  { main, spare }: WindowQueues<Facts>,
  message: Window<Facts>,
): Promise<boolean> {
  for (const [name, queue] of Object.entries({ main, spare })) {
    try {
      await queue.send(message);
      return true;
    } catch (error) {
      logError(`the ${name} queue rejected a window`, error);
    }
  }
  return false;
}

function add<Facts>(
  window: Open<Facts>,
  facts: Facts,
  nowMs: number,
  markVisitor: MarkVisitor | undefined,
): void {
  const key = JSON.stringify(facts);
  let group = window.groups.get(key);
  if (group === undefined) {
    group = { facts, bytes: new TextEncoder().encode(key).byteLength, timesMs: [], visitors: [] };
    window.groups.set(key, group);
    window.bytes += group.bytes + GROUP_BYTES;
  }
  group.timesMs.push(nowMs);
  group.visitors.push(markVisitor);
  window.occurrences += 1;
  window.bytes += TIME_BYTES + (markVisitor === undefined ? 0 : MARK_BYTES);
  window.expandedBytes += group.bytes;
}

async function closeGroup<Facts>({ facts, timesMs, visitors }: OpenGroup<Facts>): Promise<Group<Facts>> {
  if (visitors.every((markVisitor) => markVisitor === undefined)) return { facts, timesMs };
  const marks = visitors.map((markVisitor) => markVisitor?.() ?? "");
  return { facts, timesMs, visitors: await Promise.all(marks) };
}

function isFull({ occurrences, bytes, expandedBytes }: Open<unknown>): boolean {
  return occurrences >= OCCURRENCES_MAX || bytes >= BYTES_MAX || expandedBytes >= EXPANDED_BYTES_MAX;
}
