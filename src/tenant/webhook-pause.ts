/** Workspace ID in `transits` that pauses the webhooks of all workspaces of a shard, after a backup was restored. */
export const ALL_WORKSPACES = "*";

/** Returns the workspace ID in `transits` that pauses the webhooks of one workspace, after it was imported. */
export function formatPausedId(workspaceId: string): string {
  return `${ALL_WORKSPACES}${workspaceId}`;
}

/** Pauses the webhooks of all workspaces of a shard. */
export const PAUSE_WEBHOOKS = `INSERT OR IGNORE INTO transits (workspace_id, epoch, state)
  VALUES ('${ALL_WORKSPACES}', 0, 'pausing')`;

/** Ends the pause. Returns a row if there was one. */
export const RESUME_WEBHOOKS = `DELETE FROM transits WHERE workspace_id = '${ALL_WORKSPACES}' RETURNING 1`;
