/** Error message with which a shard's triggers reject changes of a workspace that is leaving the shard. */
export const MOVING_MESSAGE = "workspace_moving";
