import { type DatabaseState, FEED_FRESH_MS, type FeedDocument } from "./feed-document.ts";

/** Facts of an entry about its read, for the feed. */
export interface Stamp {
  database: string;
  /** Number of the last change of the database that the read saw, or up to which the feed confirmed the entry. */
  seq: number;
  /** Hashes of the keys whose change makes the entry invalid. */
  hashes: readonly number[];
}

/** Place that an entry comes from. The data centre's cache loses changed entries; an isolate's memory does not. */
export type Place = "cache" | "memory";

/**
 * What the feed says of an entry: something changed, nothing changed, or that it cannot tell. Nothing changed up to the
 * `state`, as far as it is fresh.
 */
export type Verdict =
  | { status: "changed" | "unknown" }
  | { status: "current"; state: DatabaseState; freshUntilMs: number };

const CHANGED: Verdict = { status: "changed" };
const UNKNOWN: Verdict = { status: "unknown" };

/** An isolate's copy of the feed of its data centre, indexed. */
export class FeedView {
  /** Increases with each copy, so that an entry is judged once by each. */
  readonly version: number;
  readonly document: FeedDocument | undefined;
  /** Number of the last remembered change by the hash of its key. */
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

  /** Returns what is known of a database, or undefined. */
  getState(database: string): DatabaseState | undefined {
    return this.document?.databases[database];
  }

  /** Returns the number of the last change of a database, or undefined if the feed is not fresh. */
  getFreshCursor(database: string, nowMs: number): number | undefined {
    const state = this.getState(database);
    return state !== undefined && nowMs < state.collectedAtMs + FEED_FRESH_MS ? state.cursor : undefined;
  }

  /** Returns true if the feed is fresh for some database. */
  isFresh(nowMs: number): boolean {
    return nowMs < this.#freshUntilMs;
  }

  /** Judges an entry by its stamp. */
  judge(stamp: Stamp | null, place: Place): Verdict {
    const state = stamp === null ? undefined : this.getState(stamp.database);
    if (stamp === null || state === undefined) return UNKNOWN;
    for (const hash of stamp.hashes) {
      if ((this.#changed.get(hash) ?? 0) > stamp.seq) return CHANGED;
    }
    if (stamp.seq < (place === "cache" ? state.from : state.recentFrom)) return UNKNOWN;
    return { status: "current", state, freshUntilMs: state.collectedAtMs + FEED_FRESH_MS };
  }
}
