/**
 * Slugs of deleted workspaces: `deleted:{slug}:{Unix milliseconds}`. No other slug has a colon, so the former slug is free
 * again, and the unique index finds what is to be erased.
 */

/** First text that begins as these slugs do, and the first one after all of them: a semicolon follows the colon. */
export const DELETED_FROM = "deleted:";
export const DELETED_TO = "deleted;";

/** Returns the slug of a workspace that is deleted at this time. */
export function formatDeletedSlug(slug: string, nowMs: number): string {
  return `${DELETED_FROM}${slug}:${nowMs}`;
}

/** Returns the time of the deletion in Unix milliseconds. */
export function readDeletionTime(deletedSlug: string): number {
  return Number(deletedSlug.slice(deletedSlug.lastIndexOf(":") + 1));
}
