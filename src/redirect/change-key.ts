import { hash32 } from "../routing/visitor.ts";

/** Name of the directory in the change feed. A shard has its number as its name. */
export const DIRECTORY = "directory";

/**
 * Keys of what redirects read, in caches and in the change feed: the name of a database, and what it is in that database.
 * The shard is part of a link's key, so that a workspace that moves to another shard takes no entry of the former with it.
 */

/** Returns the key of a host in the directory. */
export function formatHostKey(hostname: string): string {
  return `${DIRECTORY}/${hostname}`;
}

/** Returns the beginning of the keys of a workspace's links; the code in lower case follows. */
export function formatLinkPrefix(shard: number, workspaceId: string): string {
  return `${shard}/${workspaceId}/`;
}

/** Returns the key under which a shard tells that a host became, or ceased to be, a short host of the deployment. */
export function formatOwnHostKey(database: string, hostname: string): string {
  return `${database}//${hostname}`;
}

/** Returns the host of a key of {@link formatOwnHostKey}, or null for another key. */
export function parseOwnHostKey(key: string): string | null {
  const start = key.indexOf("/");
  return key[start + 1] === "/" ? key.slice(start + 2) : null;
}

/** Returns the 32 bits that stand for a key in the feed of a data centre. Two keys with the same bits cost a read too many. */
export function hashKey(key: string): number {
  return hash32(key);
}
