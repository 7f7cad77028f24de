import type { Terminal } from "./terminal.ts";

/** Progress bar. */
export interface Progress {
  show(done: number): void;
  /** Removes the bar. */
  end(): void;
}

const WIDTH = 30;
const CLEAR_LINE = "\r\u001b[2K";

/** Shows a progress bar on terminals. */
export function openProgress({ note, isNoteTerminal }: Terminal, total: number): Progress {
  if (!isNoteTerminal) return { show() {}, end() {} };
  return {
    show: (done) => note(CLEAR_LINE + formatProgress(done, total)),
    end: () => note(CLEAR_LINE),
  };
}

/** Formats a progress bar followed by the numbers. */
export function formatProgress(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done} of ${total} links`;
}
