// Pure: no I/O, clock or randomness.

/**
 * Slugs of deleted workspaces: `deleted:{slug}:{Unix milliseconds}`. Slugs never contain a colon, so renaming
 * frees the old slug, and the unique index can find the workspaces that must be erased.
 */

/**
 * Range of all such slugs in the index: from the prefix up to, but not including, the same text with the next
 * character.
 */
export const DELETED_FROM = "deleted:";
export const DELETED_TO = "deleted;";

/** Returns the slug for a workspace that is deleted at the given time. */
export function formatDeletedName(name: string, nowMs: number): string {
  return `${DELETED_FROM}${name}:${nowMs}`;
}

/** Returns the time of the deletion in Unix milliseconds. */
export function readDeletionTime(deletedName: string): number {
  return Number(deletedName.slice(deletedName.lastIndexOf(":") + 1));
}

/** End of the slug of a workspace that is being imported. */
export const IMPORT_END = ":import";

/**
 * Returns the slug for a workspace until its import is complete. It is hidden like a deleted workspace, but not erased.
 */
export function formatImportName(name: string): string {
  return `${DELETED_FROM}${name}${IMPORT_END}`;
}

export function isImportName(slug: string): boolean {
  return slug.startsWith(DELETED_FROM) && slug.endsWith(IMPORT_END);
}
