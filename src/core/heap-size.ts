/**
 * Sizes in V8's heap on 64-bit machines, rounded up: headers of objects and strings, two bytes per character,
 * and the hidden class of an object whose property names are unique.
 */
const STRING_BYTES = 24;
const CHARACTER_BYTES = 2;
const OBJECT_BYTES = 96;
const PROPERTY_BYTES = 64;
const ARRAY_BYTES = 48;
const SLOT_BYTES = 8;

/** Estimates the heap size of a string in bytes. */
export function estimateTextBytes(text: string): number {
  return STRING_BYTES + CHARACTER_BYTES * text.length;
}

/**
 * Estimates the heap size of a JSON value in bytes. The estimate is an upper bound, even if every object has
 * unique property names. Strings that are shared between values are counted each time.
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
