// Pure: no I/O, clock or randomness.
import type { ContentLink } from "../../../bio/page-content.ts";

/** Badge of a block that isn't simply visible: it is hidden, or has a start or an end. */
export interface BlockState {
  word: "Hidden" | "Scheduled" | "Ended" | "Until";
  tone: "plain" | "warn";
  /** Time at which the block is or was shown or hidden. Null if none is set. */
  at: string | null;
}

/** Returns the badge of a block at a time. Null if the block is visible and has no end. */
export function judgeBlock({ enabled, starts_at, ends_at }: ContentLink, nowMs: number): BlockState | null {
  if (enabled === false) return { word: "Hidden", tone: "plain", at: null };
  if (ends_at && Date.parse(ends_at) <= nowMs) return { word: "Ended", tone: "plain", at: ends_at };
  if (starts_at && Date.parse(starts_at) > nowMs) return { word: "Scheduled", tone: "warn", at: starts_at };
  return ends_at ? { word: "Until", tone: "plain", at: ends_at } : null;
}

/** Returns true if blocks appear or disappear over time. */
export function hasSchedule(blocks: readonly ContentLink[]): boolean {
  return blocks.some(({ starts_at, ends_at }) => Boolean(starts_at || ends_at));
}
