// Pure: no I/O, clock or randomness.
import { estimateTextBytes } from "../core/heap-size.ts";

/**
 * Heap size of an entry besides key and value: the slot, and its share of the map's tables after they grew.
 */
const ENTRY_BYTES = 192;

interface Slot<Value> {
  value: Value;
  bytes: number;
  isUsed: boolean;
}

/**
 * Map with a bounded total size in bytes. Evicts entries that weren't read recently (second-chance
 * algorithm). A read only sets a flag, which costs less than moving the entry as in an LRU cache.
 */
export class ByteBoundedMap<Value> {
  readonly #slots = new Map<string, Slot<Value>>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Estimated heap size of all entries in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#slots.size;
  }

  get(key: string): Value | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    slot.isUsed = true;
    return slot.value;
  }

  /**
   * Stores a value with its estimated heap size in bytes. A value that exceeds the bound on its own isn't
   * stored.
   */
  set(key: string, value: Value, valueBytes: number): void {
    const isUsed = this.#slots.get(key)?.isUsed ?? false;
    this.delete(key);
    const bytes = ENTRY_BYTES + estimateTextBytes(key) + valueBytes;
    if (bytes > this.#bytesMax) return;
    while (this.#bytes + bytes > this.#bytesMax) this.#makeRoom();
    this.#slots.set(key, { value, bytes, isUsed });
    this.#bytes += bytes;
  }

  delete(key: string): void {
    const slot = this.#slots.get(key);
    if (slot === undefined) return;
    this.#slots.delete(key);
    this.#bytes -= slot.bytes;
  }

  clear(): void {
    this.#slots.clear();
    this.#bytes = 0;
  }

  /** Evicts the oldest entry, or if it was read, clears its flag and moves it to the end. */
  #makeRoom(): void {
    const [key, slot] = this.#slots.entries().next().value as [string, Slot<Value>];
    this.#slots.delete(key);
    if (slot.isUsed) this.#slots.set(key, { ...slot, isUsed: false });
    else this.#bytes -= slot.bytes;
  }
}
