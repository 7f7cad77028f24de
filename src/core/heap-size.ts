/**
 * Sizes of values in the heap of V8 on 64-bit machines, rounded up: headers of objects and strings, two bytes for each
 * character, and what an object with names of its own adds as a hidden class.
 */
const STRING_BYTES = 24;
const CHARACTER_BYTES = 2;
const OBJECT_BYTES = 96;
const PROPERTY_BYTES = 64;
const ARRAY_BYTES = 48;
const SLOT_BYTES = 8;

/** Estimates the heap of a text in bytes. */
export function estimateTextBytes(text: string): number {
  return STRING_BYTES + CHARACTER_BYTES * text.length;
}

/**
 * Estimates the heap of a value of JSON in bytes. The estimate is an upper bound also where every object has names of
 * its own. Values that share a text are counted as if each had a copy.
 */
export function estimateHeapBytes(value: unknown): number {
  if (typeof value === "string") return SLOT_BYTES + estimateTextBytes(value);
  if (typeof value !== "object" || value === null) return SLOT_BYTES;
  if (Array.isArray(value)) return value.reduce((sum, item) => sum + estimateHeapBytes(item), ARRAY_BYTES);
  let bytes = OBJECT_BYTES;
  for (const [name, member] of Object.entries(value)) {
    bytes += PROPERTY_BYTES + estimateTextBytes(name) + estimateHeapBytes(member);
  }
  return bytes;
}
