/**
 * Names of deleted workspaces and their hosts: `deleted:{name}:{Unix milliseconds}`. No other slug and no host has a colon,
 * so the former name is free again, and the unique index finds what is to be erased.
 */

/** First text that begins as these names do, and the first one after all of them: a semicolon follows the colon. */
export const DELETED_FROM = "deleted:";
export const DELETED_TO = "deleted;";

/** Returns the name of something that is deleted at this time. */
export function formatDeletedName(name: string, nowMs: number): string {
  return `${DELETED_FROM}${name}:${nowMs}`;
}

/** Returns the former name. */
export function readFormerName(deletedName: string): string {
  return deletedName.slice(DELETED_FROM.length, deletedName.lastIndexOf(":"));
}

/** Returns the time of the deletion in Unix milliseconds. */
export function readDeletionTime(deletedName: string): number {
  return Number(deletedName.slice(deletedName.lastIndexOf(":") + 1));
}
