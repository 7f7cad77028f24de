/** Workspace ID in `transits` that pauses the webhooks of all workspaces of a shard, after a backup was restored. */
export const ALL_WORKSPACES = "*";
