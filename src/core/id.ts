import { toHex } from "./crypto.ts";
import { SECOND_MS } from "./time.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Returns true if `text` is a UUID in lower case (RFC 9562 section 4), the form in which ids are stored. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const COUNTER_MAX = 0xfff;

/**
 * Maximum time by which an id may be ahead of the clock, after a burst of ids or after the clock was set
 * back. If the clock was set back by more, ids go backwards once. Otherwise they would be dated in the future
 * until the clock caught up.
 */
export const ID_AHEAD_MAX_MS = 10 * SECOND_MS;

// Time and counter of the last id, so that the ids of one isolate do not go backwards.
let lastMs = 0;
let counter = 0;

/**
 * Returns a UUIDv7 (RFC 9562 section 5.7) of the time `nowMs`. The 12 bits of `rand_a` are a counter (section 6.2,
 * method 1), so ids that are generated within one millisecond sort in the order of their generation.
 */
export function generateUuidv7(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  if (nowMs > lastMs || nowMs + ID_AHEAD_MAX_MS <= lastMs) {
    lastMs = nowMs;
    // The seed is below half of the range, to leave room for counting.
    counter = ((random[0] as number) << 3) | ((random[1] as number) & 0x7);
  } else if (counter < COUNTER_MAX) {
    counter += 1;
  } else {
    lastMs += 1;
    counter = 0;
  }
  const variant = (0x80 | ((random[2] as number) & 0x3f)).toString(16);
  const tail = toHex(random.subarray(3));
  return `${formatUuidTime(lastMs)}-7${counter.toString(16).padStart(3, "0")}-${variant}${tail.slice(0, 2)}-${tail.slice(2)}`;
}

/**
 * Derives another UUIDv7 from a UUIDv7. `ordinal` (0 to 16,383) replaces the 14 bits of `rand_b` after the variant, so
 * derived ids keep the time of `id` and sort by their ordinal.
 */
export function deriveUuid(id: string, ordinal: number): string {
  return `${id.slice(0, 19)}${(0x8000 | ordinal).toString(16)}${id.slice(23)}`;
}

/** Returns the first 13 characters of every UUIDv7 of the time `timeMs`: its 48 bits of Unix time in milliseconds. */
export function formatUuidTime(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

/** Returns the time of a UUIDv7 in Unix milliseconds. */
export function readUuidTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** Returns a UUIDv7 with another time. */
export function changeUuidTime(id: string, timeMs: number): string {
  return formatUuidTime(timeMs) + id.slice(13);
}
