/** Shortcuts of one or two keys, such as `c` and `g l`. */

/** Longest pause between two keys of a sequence. */
export const SEQUENCE_PAUSE_MS = 1_200;

/** Shortcut that a screen or the frame offers. */
export interface Shortcut {
  /** Keys with spaces between them. */
  keys: string;
  /** Name in the list of shortcuts. */
  label: string;
  run(): void;
}

/** First key of a sequence, and when it was pressed. */
export interface PendingKey {
  key: string;
  atMs: number;
}

/** Result of a key: a shortcut to run, or what is remembered until the next key. */
export interface KeyStep {
  shortcut: Shortcut | null;
  pending: PendingKey | null;
}

/** Finds what a key does. Of two shortcuts with the same keys, the later one counts: screens come after the frame. */
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
  // A key that ends no sequence may be a shortcut of its own.
  const alone = isInTime ? shortcuts.findLast(({ keys }) => keys === key) : undefined;
  return { shortcut: alone ?? null, pending: null };
}
