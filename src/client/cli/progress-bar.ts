import type { Terminal } from "./terminal.ts";

/** Progress bar on a terminal. Shows nothing in a pipe. */
export interface ProgressBar {
  update(done: number, total: number): void;
  /** Removes the bar, so that the next output starts at the beginning of the line. */
  clear(): void;
}

const BAR_CHARACTERS = 24;
/** Minimum time between two redraws. More frequent redraws cost time without showing more. */
const DRAW_MS = 100;

/** Opens a progress bar. The clock is an argument so that tests can replace it. */
export function openProgressBar(
  { isNoteTerminal, columns, note }: Pick<Terminal, "isNoteTerminal" | "columns" | "note">,
  label: string,
  nowMs: () => number = Date.now,
): ProgressBar {
  if (!isNoteTerminal) return { update: () => {}, clear: () => {} };
  let drawnAtMs = Number.NEGATIVE_INFINITY;
  let width = 0;
  return {
    update(done, total) {
      if (done < total && nowMs() - drawnAtMs < DRAW_MS) return;
      drawnAtMs = nowMs();
      const line = formatProgress(label, done, total).slice(0, Math.max(1, columns - 1));
      note(`\r${line.padEnd(width)}`);
      width = line.length;
    },
    clear() {
      if (width > 0) note(`\r${" ".repeat(width)}\r`);
      width = 0;
    },
  };
}

/** Formats the bar with the percentage and the numbers. */
export function formatProgress(label: string, done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR_CHARACTERS);
  const bar = "█".repeat(full) + "░".repeat(BAR_CHARACTERS - full);
  return `${label} ${bar} ${Math.floor(share * 100)}% (${done} of ${total})`;
}
