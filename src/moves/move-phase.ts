/**
 * Phases of a move:
 * - `wanted`: requested by the command.
 * - `copy`: all rows are being copied.
 * - `follow`: rows that changed during the copy are being copied.
 * - `fence`: writes are blocked.
 * - `moved`: the target serves the workspace.
 * - `done`: the source has no more rows of the workspace.
 */
export type MovePhase = "wanted" | "copy" | "follow" | "fence" | "moved" | "done";
