import { type ReadonlySignal, type Signal, signal } from "@preact/signals-core";

/** Caches loaded resources, so that screens show the last value immediately while they load it again. */

/** State of a resource as shown on a screen. */
export interface ResourceState<Value> {
  /** Last loaded value, or undefined before the first load. */
  value: Value | undefined;
  /** Fault of the last read, or null. */
  fault: unknown;
  isLoading: boolean;
}

interface Entry {
  state: Signal<ResourceState<unknown>>;
  /** Number of loads and changes so far. A load's result is ignored if the number has changed since. */
  reads: number;
  /** True while a screen shows the resource. */
  isWatched: boolean;
}

/** Undoes an optimistic change. */
export type Rollback = () => void;

/**
 * Cache of resources by key. Above `entriesMax`, removes the least recently used resource that no screen shows.
 */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #entriesMax: number;

  constructor(entriesMax = 60) {
    this.#entriesMax = entriesMax;
  }

  /** Returns the state of a resource without loading it. */
  watch<Value>(key: string): ReadonlySignal<ResourceState<Value>> {
    return this.#find(key).state as Signal<ResourceState<Value>>;
  }

  /** Loads a resource. If several loads run at the same time, the last one started wins. */
  async read<Value>(key: string, load: () => Promise<Value>): Promise<void> {
    const entry = this.#find(key);
    const number = ++entry.reads;
    const isLast = () => entry.reads === number;
    entry.state.value = { ...entry.state.peek(), isLoading: true };
    try {
      const value = await load();
      if (isLast()) entry.state.value = { value, fault: null, isLoading: false };
    } catch (fault) {
      if (isLast()) entry.state.value = { ...entry.state.peek(), fault, isLoading: false };
    }
  }

  /**
   * Optimistically changes the cached values of all resources whose key begins with a prefix. Ignores results
   * of loads that are already running, because they may not include the change. Returns a function that
   * undoes the change.
   */
  change<Value>(prefix: string, apply: (value: Value) => Value): Rollback {
    const undo: Rollback[] = [];
    for (const [key, entry] of this.#entries) {
      const before = entry.state.peek().value as Value | undefined;
      if (!key.startsWith(prefix) || before === undefined) continue;
      const after = apply(before);
      if (after === before) continue;
      entry.reads++;
      entry.state.value = { ...entry.state.peek(), value: after, isLoading: false };
      undo.push(() => {
        const { state } = entry;
        // Keeps a value that was loaded after the change.
        if (state.peek().value === after) state.value = { ...state.peek(), value: before };
      });
    }
    return () => {
      for (const step of undo) step();
    };
  }

  /** Removes all resources. */
  clear(): void {
    this.#entries.clear();
  }

  #find(key: string): Entry {
    const entry = this.#entries.get(key) ?? createEntry();
    // Maps keep insertion order, so after moving this entry to the end, the first entry is the least recently
    // used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#entriesMax) this.#removeOldest(entry);
    return entry;
  }

  #removeOldest(kept: Entry): void {
    for (const [key, entry] of this.#entries) {
      if (entry.isWatched || entry === kept) continue;
      this.#entries.delete(key);
      return;
    }
  }
}

function createEntry(): Entry {
  const state = signal<ResourceState<unknown>>(
    { value: undefined, fault: null, isLoading: false },
    {
      watched: () => {
        entry.isWatched = true;
      },
      unwatched: () => {
        entry.isWatched = false;
      },
    },
  );
  const entry: Entry = { state, reads: 0, isWatched: false };
  return entry;
}
