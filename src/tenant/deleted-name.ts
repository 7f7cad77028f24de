// Pure: no I/O, clock or randomness.

/**
 * Names of deleted workspaces and their hosts: `deleted:{name}:{Unix milliseconds}`. Slugs and hosts never
 * contain a colon, so renaming frees the old name, and the unique index can find everything that must be
 * erased.
 */

/**
 * Range of all such names in the index: from the prefix up to, but not including, the same text with the next
 * character.
 */
export const DELETED_FROM = "deleted:";
export const DELETED_TO = "deleted;";

/** Returns the name for a workspace or host that is deleted at the given time. */
export function formatDeletedName(name: string, nowMs: number): string {
  return `${DELETED_FROM}${name}:${nowMs}`;
}

/** Returns the original name. */
export function readFormerName(deletedName: string): string {
  return deletedName.slice(DELETED_FROM.length, deletedName.lastIndexOf(":"));
}

/** Returns the time of the deletion in Unix milliseconds. */
export function readDeletionTime(deletedName: string): number {
  return Number(deletedName.slice(deletedName.lastIndexOf(":") + 1));
}
