/** Text of the error with which a shard refuses to change rows of a workspace that is leaving it. */
export const MOVING_MESSAGE = "workspace_moving";
