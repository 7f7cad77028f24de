import type { Terminal } from "./terminal.ts";

/** Bar on a terminal that shows how far some work is. In a pipe it shows nothing. */
export interface ProgressBar {
  update(done: number, total: number): void;
  /** Removes the bar, so that what is written next begins a line. */
  clear(): void;
}

const BAR_CHARACTERS = 24;
/** Shortest time between two drawings: more of them cost time and show no more. */
const DRAW_MS = 100;

/** Opens a bar. The clock is an argument for tests. */
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

/** Formats how far some work is: a bar, the share and the numbers. */
export function formatProgress(label: string, done: number, total: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const full = Math.floor(share * BAR_CHARACTERS);
  const bar = "█".repeat(full) + "░".repeat(BAR_CHARACTERS - full);
  return `${label} ${bar} ${Math.floor(share * 100)} % (${done} of ${total})`;
}
