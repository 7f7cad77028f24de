import { toHex } from "./crypto.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether `text` is a UUID as this service writes them (lower case, RFC 9562 section 4). */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const COUNTER_MAX = 0xfff;

// The last identifier's place in time, kept so that identifiers of one isolate never go backwards.
let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562 section 5.7) for the moment `nowMs`. The 12 bits of `rand_a` are a counter (section 6.2,
 * method 1), so identifiers made within one millisecond sort in the order they were made.
 */
export function uuidv7(nowMs: number): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  if (nowMs > lastMs) {
    lastMs = nowMs;
    // Seeded below half of its range, to leave room to count.
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
 * The `ordinal`-th (0 to 16,383) of the identifiers that belong to a UUIDv7: alike but for the 14 bits of `rand_b` after
 * the variant, so that they sort in their order, among those of other moments.
 */
export function deriveUuid(id: string, ordinal: number): string {
  return `${id.slice(0, 19)}${(0x8000 | ordinal).toString(16)}${id.slice(23)}`;
}

/** How every UUIDv7 of the moment `timeMs` begins: its 48 bits of time, as far as the version. */
export function formatUuidTime(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
