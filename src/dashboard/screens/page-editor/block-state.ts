import type { ContentLink } from "../../../bio/page-content.ts";

/** State of a block, if visitors do not simply see it. */
export interface BlockState {
  word: "Hidden" | "Scheduled" | "Over" | "Until";
  tone: "plain" | "warn";
  /** Time at which it changes, or null. */
  at: string | null;
}

/** Returns the state of a block at a time, or null if it is shown without an end. */
export function judgeBlock({ enabled, starts_at, ends_at }: ContentLink, nowMs: number): BlockState | null {
  if (enabled === false) return { word: "Hidden", tone: "plain", at: null };
  if (ends_at && Date.parse(ends_at) <= nowMs) return { word: "Over", tone: "plain", at: ends_at };
  if (starts_at && Date.parse(starts_at) > nowMs) return { word: "Scheduled", tone: "warn", at: starts_at };
  return ends_at ? { word: "Until", tone: "plain", at: ends_at } : null;
}

/** Returns true if the page looks different at other times. */
export function hasSchedule(blocks: readonly ContentLink[]): boolean {
  return blocks.some(({ starts_at, ends_at }) => Boolean(starts_at || ends_at));
}
