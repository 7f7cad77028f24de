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
  state: ResourceState<unknown>;
  /** Number of loads and changes so far. A load's result is ignored if the number has changed since. */
  reads: number;
  /** Called when the state changes. An entry with subscribers is never removed. */
  subscribers: Set<() => void>;
}

const UNREAD: ResourceState<never> = { value: undefined, fault: null, isLoading: false };

/** Undoes an optimistic change. */
export type Rollback = () => void;

/**
 * Cache of resources by key. Above `entriesMax`, removes the least recently used resource without
 * subscribers.
 */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #entriesMax: number;

  constructor(entriesMax = 60) {
    this.#entriesMax = entriesMax;
  }

  /** Returns the state of a resource. */
  get<Value>(key: string): ResourceState<Value> {
    return (this.#entries.get(key)?.state ?? UNREAD) as ResourceState<Value>;
  }

  /** Calls a function when the state of a resource changes. Returns a function that ends this. */
  subscribe(key: string, onChange: () => void): () => void {
    const { subscribers } = this.#find(key);
    subscribers.add(onChange);
    return () => {
      subscribers.delete(onChange);
      this.#removeOldest();
    };
  }

  /** Loads a resource. If several loads run at the same time, the last one started wins. */
  async read<Value>(key: string, load: () => Promise<Value>): Promise<void> {
    const entry = this.#find(key);
    const number = ++entry.reads;
    const isLast = () => entry.reads === number;
    setState(entry, { ...entry.state, isLoading: true });
    try {
      const value = await load();
      if (isLast()) setState(entry, { value, fault: null, isLoading: false });
    } catch (fault) {
      if (isLast()) setState(entry, { ...entry.state, fault, isLoading: false });
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
      const before = entry.state.value as Value | undefined;
      if (!key.startsWith(prefix) || before === undefined) continue;
      const after = apply(before);
      if (after === before) continue;
      entry.reads++;
      setState(entry, { ...entry.state, value: after, isLoading: false });
      undo.push(() => {
        // Keeps a value that was loaded after the change.
        if (entry.state.value === after) setState(entry, { ...entry.state, value: before });
      });
    }
    return () => {
      for (const step of undo) step();
    };
  }

  /** Removes all resources without subscribers. */
  clear(): void {
    for (const [key, { subscribers }] of this.#entries) if (subscribers.size === 0) this.#entries.delete(key);
  }

  #find(key: string): Entry {
    const entry = this.#entries.get(key) ?? { state: UNREAD, reads: 0, subscribers: new Set() };
    // Maps keep insertion order, so after moving this entry to the end, the first entry is the least recently
    // used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#removeOldest(entry);
    return entry;
  }

  #removeOldest(kept?: Entry): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= this.#entriesMax) return;
      if (entry.subscribers.size === 0 && entry !== kept) this.#entries.delete(key);
    }
  }
}

function setState(entry: Entry, state: ResourceState<unknown>): void {
  entry.state = state;
  for (const notify of entry.subscribers) notify();
}
