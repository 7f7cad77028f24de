// Pure: no I/O, clock or randomness.
import { type DatabaseState, FEED_FRESH_MS, type FeedDocument } from "./feed-document.ts";

/** Version of an entry, to compare it with the change feed. */
export interface Stamp {
  database: string;
  /** Number of the database's last change that the read saw, or up to which the feed confirmed the entry. */
  seq: number;
  /** Hashes of the keys whose changes invalidate the entry. */
  hashes: readonly number[];
}

/**
 * Cache that an entry comes from. Changed entries are deleted from the data centre's cache, but not from an
 * isolate's memory.
 */
export type CacheLevel = "cache" | "memory";

/**
 * Whether an entry has changed since its stamp. `current` means unchanged up to `state` and valid until
 * `freshUntilMs`; `unknown` means that the feed can't decide.
 */
export type Verdict =
  | { status: "changed" | "unknown" }
  | { status: "current"; state: DatabaseState; freshUntilMs: number };

const CHANGED: Verdict = { status: "changed" };
const UNKNOWN: Verdict = { status: "unknown" };

/** Indexed copy of the data centre's feed in an isolate. */
export class FeedView {
  /** Increases with each copy, so that each copy judges an entry only once. */
  readonly version: number;
  readonly document: FeedDocument | undefined;
  /** Number of the last remembered change by key hash. */
  readonly #changed = new Map<number, number>();
  readonly #freshUntilMs: number;

  constructor(version: number, document?: FeedDocument) {
    this.version = version;
    this.document = document;
    const times = Object.values(document?.databases ?? {}).map(({ collectedAtMs }) => collectedAtMs);
    this.#freshUntilMs = Math.max(0, ...times) + FEED_FRESH_MS;
    for (const changes of [document?.recent, document?.ownHosts]) {
      for (const [hash, seq] of changes ?? []) {
        if (seq > (this.#changed.get(hash) ?? 0)) this.#changed.set(hash, seq);
      }
    }
  }

  /** Returns the state of a database, or undefined if the feed doesn't contain it. */
  getState(database: string): DatabaseState | undefined {
    return this.document?.databases[database];
  }

  /** Returns the number of a database's last change, or undefined if the feed isn't fresh. */
  getFreshCursor(database: string, nowMs: number): number | undefined {
    const state = this.getState(database);
    return state !== undefined && nowMs < state.collectedAtMs + FEED_FRESH_MS ? state.cursor : undefined;
  }

  /** Returns true if the feed is fresh for at least one database. */
  isFresh(nowMs: number): boolean {
    return nowMs < this.#freshUntilMs;
  }

  /** Compares an entry's stamp with the feed. */
  judge(stamp: Stamp | null, level: CacheLevel): Verdict {
    const state = stamp === null ? undefined : this.getState(stamp.database);
    if (stamp === null || state === undefined) return UNKNOWN;
    for (const hash of stamp.hashes) {
      if ((this.#changed.get(hash) ?? 0) > stamp.seq) return CHANGED;
    }
    if (stamp.seq < (level === "cache" ? state.from : state.recentFrom)) return UNKNOWN;
    return { status: "current", state, freshUntilMs: state.collectedAtMs + FEED_FRESH_MS };
  }
}
