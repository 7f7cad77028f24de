// Pure: no I/O, clock or randomness.
import { hash32 } from "../routing/visitor.ts";

/** Name of the directory in the change feed. Shards are named by their number. */
export const DIRECTORY = "directory";

/**
 * Keys of hosts and links in caches and in the change feed. A key consists of the database's name and the
 * resource within that database. Because link keys contain the shard, a workspace that moves to another shard
 * doesn't reuse entries of its old shard.
 */

/** Returns the key of a host in the directory. */
export function formatHostKey(hostname: string): string {
  return `${DIRECTORY}/${hostname}`;
}

/** Returns the prefix of all link keys of a workspace. The lower-case short code follows it. */
export function formatLinkPrefix(shard: number, workspaceId: string): string {
  return `${shard}/${workspaceId}/`;
}

/**
 * Returns the key of the change that a shard reports when a host becomes, or stops being, a short host of the
 * deployment.
 */
export function formatOwnHostKey(database: string, hostname: string): string {
  return `${database}//${hostname}`;
}

/** Returns the host of a key created by {@link formatOwnHostKey}, or null for other keys. */
export function parseOwnHostKey(key: string): string | null {
  const start = key.indexOf("/");
  return key[start + 1] === "/" ? key.slice(start + 2) : null;
}

/**
 * Returns the 32-bit hash that represents a key in a data centre's feed. A collision only costs an
 * unnecessary read.
 */
export function hashChangeKey(key: string): number {
  return hash32(key);
}
