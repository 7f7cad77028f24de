import { type ReadonlySignal, type Signal, signal } from "@preact/signals-core";

/** Cache of what was read: a screen shows the last known value at once, and reads it again meanwhile. */

/** State of a resource, as a screen shows it. */
export interface ResourceState<Value> {
  /** Last known value, or undefined before the first. */
  value: Value | undefined;
  /** Fault of the last read, or null. */
  fault: unknown;
  isLoading: boolean;
}

interface Entry {
  state: Signal<ResourceState<unknown>>;
  /** Number of the last read. Results of earlier ones are dropped. */
  reads: number;
}

/** Undoes an optimistic change. */
export type Rollback = () => void;

/** Resources by key. At most `entriesMax` are kept; the longest unused is forgotten first. */
export class ResourceCache {
  readonly #entries = new Map<string, Entry>();
  readonly #entriesMax: number;

  constructor(entriesMax = 60) {
    this.#entriesMax = entriesMax;
  }

  /** Returns the state of a resource without reading it. */
  watch<Value>(key: string): ReadonlySignal<ResourceState<Value>> {
    return this.#find(key).state as Signal<ResourceState<Value>>;
  }

  /** Reads a resource. Of several reads at the same time, the one that began last wins. */
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
   * Changes the known values of all resources whose key begins with a prefix, before the service has agreed. Reads that
   * began before are dropped, since they may not know of the change. Returns the function that undoes it.
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
        // A value that was read since then knows better.
        if (state.peek().value === after) state.value = { ...state.peek(), value: before };
      });
    }
    return () => {
      for (const step of undo) step();
    };
  }

  /** Forgets all resources. */
  clear(): void {
    this.#entries.clear();
  }

  #find(key: string): Entry {
    const entry = this.#entries.get(key) ?? {
      state: signal<ResourceState<unknown>>({ value: undefined, fault: null, isLoading: false }),
      reads: 0,
    };
    // The order of a map is that of insertion, so the first is the longest unused.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#entriesMax)
      this.#entries.delete(this.#entries.keys().next().value as string);
    return entry;
  }
}
