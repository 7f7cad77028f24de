import type { Terminal } from "./terminal.ts";

/** Bar that shows how much of a work is done. */
export interface Progress {
  show(done: number): void;
  /** Removes the bar. */
  end(): void;
}

const WIDTH = 30;
const CLEAR_LINE = "\r\u001b[2K";

/** Opens a bar for a person. Nobody else sees one. */
export function openProgress({ note, isNoteTerminal }: Terminal, total: number): Progress {
  if (!isNoteTerminal) return { show() {}, end() {} };
  return {
    show: (done) => note(CLEAR_LINE + formatProgress(done, total)),
    end: () => note(CLEAR_LINE),
  };
}

/** Formats a bar with the numbers behind it. */
export function formatProgress(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((Math.min(done, total) / total) * WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(WIDTH - filled)} ${done} of ${total} links`;
}
