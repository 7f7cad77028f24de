/**
 * Phases of a move: `wanted` by the command, `copy` of all rows, `follow` of what changed meanwhile, `fence` in which
 * nothing may change, `moved` when the target serves the workspace, `done` when the source has no row of it.
 */
export type MovePhase = "wanted" | "copy" | "follow" | "fence" | "moved" | "done";
