import type { DataCentre } from "../caching/data-centre.ts";
import { logRecurringError } from "../caching/recurring-errors.ts";
import { SECOND_MS } from "../core/time.ts";
import { type PollCollector, readFeed, refreshFeed } from "./feed-refresh.ts";
import { FeedView } from "./feed-view.ts";
import { type LocalChange, readLocalChanges } from "./local-changes.ts";

/** Time between two reads of the data centre's feed by an isolate. */
const LOOK_MS = 5 * SECOND_MS;
/** Age from which the feed is refreshed. */
const REFRESH_MS = 16 * SECOND_MS;
/**
 * Time after which another request may refresh the feed, because the first request may have been cancelled.
 */
const TAKEOVER_MS = 10 * SECOND_MS;
/**
 * Number of requests within {@link BUSY_MS} from which an isolate refreshes the feed. With fewer requests,
 * refreshing costs as much as reading the links. An isolate of a busy data centre has more than one request
 * per second.
 */
const BUSY_REQUESTS = 4;
const BUSY_MS = 15 * SECOND_MS;

/** Functions of the platform that following the feed needs. */
export interface FeedSource {
  dataCentre: DataCentre;
  pollCollector: PollCollector;
  /** Returns true for hosts that links can't redirect to, whether or not a workspace uses them. */
  isShortName(hostname: string): boolean;
  now(): number;
  /** Keeps the invocation alive until the promise settles, even after the response. */
  waitUntil(promise: Promise<unknown>): void;
}

/**
 * Follows the change feed in one isolate: keeps a copy of the data centre's feed and refreshes the feed when
 * due.
 */
export class FeedWatch {
  readonly #onLocalChanges: (changes: readonly LocalChange[]) => void;
  #view = new FeedView(1);
  #nextLookAtMs = 0;
  #refreshingUntilMs = 0;
  #requests = 0;
  #countedFromMs = 0;

  /** `onLocalChanges` is called with the changes made in this data centre, also by other isolates. */
  constructor(onLocalChanges: (changes: readonly LocalChange[]) => void) {
    this.#onLocalChanges = onLocalChanges;
  }

  /** Isolate's copy of the feed. */
  get view(): FeedView {
    return this.#view;
  }

  /** Counts a request. Returns true if the request should call {@link look} without waiting for it. */
  count(nowMs: number): boolean {
    this.#requests += 1;
    return nowMs >= this.#nextLookAtMs;
  }

  /** Reads the data centre's feed if due, and starts a refresh after the response if needed. Never throws. */
  async look(source: FeedSource): Promise<void> {
    const nowMs = source.now();
    // Requests that need the first copy read it themselves. Later, one request reads it for all.
    if (nowMs < this.#nextLookAtMs && this.#view.document !== undefined) return;
    this.#nextLookAtMs = nowMs + LOOK_MS;
    const [feed, localChanges] = await Promise.all([
      readFeed(source.dataCentre, nowMs),
      readLocalChanges(source.dataCentre),
    ]);
    this.#onLocalChanges(localChanges);
    if (feed !== undefined && feed.askedAtMs > (this.#view.document?.askedAtMs ?? 0)) this.#setView(feed);
    const isDue = nowMs >= (feed?.askedAtMs ?? 0) + REFRESH_MS;
    const isBusy = this.#isBusy(nowMs);
    if (isDue && isBusy && nowMs >= this.#refreshingUntilMs) {
      this.#refreshingUntilMs = nowMs + TAKEOVER_MS;
      source.waitUntil(this.refresh(source));
    }
  }

  /** Refreshes the data centre's feed. Never throws. */
  async refresh(source: FeedSource): Promise<void> {
    const { dataCentre, pollCollector, isShortName, now } = source;
    try {
      const former = await readFeed(dataCentre, now());
      const feed = await refreshFeed(dataCentre, pollCollector, former, isShortName, now);
      if (feed !== undefined) this.#setView(feed);
    } catch (error) {
      logRecurringError("the change feed could not be read", error);
    } finally {
      this.#refreshingUntilMs = 0;
    }
  }

  /** Resets all state, for tests. */
  clear(): void {
    this.#view = new FeedView(this.#view.version + 1);
    this.#nextLookAtMs = 0;
    this.#refreshingUntilMs = 0;
    this.#requests = 0;
    this.#countedFromMs = 0;
  }

  #setView(feed: NonNullable<FeedView["document"]>): void {
    this.#view = new FeedView(this.#view.version + 1, feed);
  }

  /** Returns true if the isolate had enough requests recently. Restarts the count every {@link BUSY_MS}. */
  #isBusy(nowMs: number): boolean {
    const countedMs = Math.max(nowMs - this.#countedFromMs, BUSY_MS);
    const isBusy = this.#requests * BUSY_MS >= BUSY_REQUESTS * countedMs;
    if (nowMs >= this.#countedFromMs + BUSY_MS) {
      this.#requests = 0;
      this.#countedFromMs = nowMs;
    }
    return isBusy;
  }
}
