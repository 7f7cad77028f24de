import { estimateTextBytes } from "../core/heap-size.ts";

/** Heap of an entry beside its key and its value: the slot, and its share of the map's tables after they grew. */
const ENTRY_BYTES = 192;

interface Slot<Value> {
  value: Value;
  bytes: number;
  isUsed: boolean;
}

/**
 * Map whose entries together take at most so many bytes. What was not read since its last turn makes room first (second
 * chance): a read only sets a mark, which costs less than moving the entry.
 */
export class ByteBoundedMap<Value> {
  readonly #slots = new Map<string, Slot<Value>>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Estimated heap of the entries in bytes. */
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

  /** Stores a value of an estimated heap in bytes. A value that alone exceeds the bound is not stored. */
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

  /** Deletes the oldest entry, or moves it to the end without its mark. */
  #makeRoom(): void {
    const [key, slot] = this.#slots.entries().next().value as [string, Slot<Value>];
    this.#slots.delete(key);
    if (slot.isUsed) this.#slots.set(key, { ...slot, isUsed: false });
    else this.#bytes -= slot.bytes;
  }
}
