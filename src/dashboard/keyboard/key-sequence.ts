// Pure: no I/O, clock or randomness.

/** Recognises shortcuts of one or two keys, such as `c` and `g l`. */

/** Maximum time between two keys of a sequence. */
export const SEQUENCE_PAUSE_MS = 1_200;

/** Shortcut registered by a screen or by the frame around all screens. */
export interface Shortcut {
  /** Keys with spaces between them. */
  keys: string;
  /** Name in the list of shortcuts. */
  label: string;
  run(): void;
}

/** First key of a possible sequence, and when it was pressed. */
export interface PendingKey {
  key: string;
  atMs: number;
}

/** Result of a key press: a shortcut to run, or a key to remember until the next press. */
export interface KeyStep {
  shortcut: Shortcut | null;
  pending: PendingKey | null;
}

/**
 * Finds the shortcut for a key press. If two shortcuts have the same keys, the later one wins, because
 * screens register after the frame.
 */
export function pressKey(
  shortcuts: readonly Shortcut[],
  pending: PendingKey | null,
  key: string,
  nowMs: number,
): KeyStep {
  const isInTime = pending !== null && nowMs - pending.atMs <= SEQUENCE_PAUSE_MS;
  const sequence = isInTime ? `${pending.key} ${key}` : key;
  const found = shortcuts.findLast(({ keys }) => keys === sequence);
  if (found !== undefined) return { shortcut: found, pending: null };
  const begins = shortcuts.some(({ keys }) => keys.startsWith(`${key} `));
  if (begins) return { shortcut: null, pending: { key, atMs: nowMs } };
  // A key that doesn't complete a sequence may be a shortcut by itself.
  const alone = isInTime ? shortcuts.findLast(({ keys }) => keys === key) : undefined;
  return { shortcut: alone ?? null, pending: null };
}
