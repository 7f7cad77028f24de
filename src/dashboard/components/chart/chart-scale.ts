// Pure: no I/O, clock or randomness.

/** Computes the scales of charts: round numbers for counts, and as many dates as fit on the time axis. */

const LINES_MAX = 4;
const STEPS = [1, 2, 5];

/** Returns the counts at which to draw grid lines, from 0 to the first line at or above the largest count. */
export function pickLines(max: number): number[] {
  let step = 1;
  for (let power = 1; ; power *= 10) {
    const found = STEPS.find((factor) => factor * power * LINES_MAX >= max);
    if (found === undefined) continue;
    step = found * power;
    break;
  }
  const count = Math.max(2, Math.ceil(max / step));
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

/** Possible distances between two labelled points. They suit hours, days, weeks and months. */
const TICK_STEPS = [1, 2, 3, 4, 6, 7, 8, 12, 14, 24, 28, 48, 56, 84, 112, 168, 224];

/** Returns the indexes of points that get a date on the axis. The last point always has one. */
export function pickTicks(count: number, widthPx: number, tickPx: number): number[] {
  const fitting = Math.max(1, Math.floor(widthPx / tickPx));
  const step = TICK_STEPS.find((candidate) => count / candidate <= fitting) ?? Math.ceil(count / fitting);
  const ticks: number[] = [];
  for (let index = count - 1; index >= 0; index -= step) ticks.unshift(index);
  return ticks;
}

/** Returns the index of the point that a key moves the cursor to, or null for any other key. */
export function moveCursor(key: string, index: number | null, count: number): number | null {
  const last = count - 1;
  const from = index ?? last;
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return Math.min(last, index === null ? last : from + 1);
    case "ArrowLeft":
    case "ArrowDown":
      return Math.max(0, index === null ? last : from - 1);
    case "PageUp":
      return Math.min(last, from + PAGE);
    case "PageDown":
      return Math.max(0, from - PAGE);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}

/** Points skipped by Page Up and Page Down. */
const PAGE = 7;

/** Returns the SVG path of a small line chart in a box of the given size. */
export function drawSparkline(values: readonly number[], width: number, height: number): string {
  const max = Math.max(1, ...values);
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return values
    .map((value, index) => {
      const x = round(index * step);
      const y = round(height - (value / max) * height);
      return `${index === 0 ? "M" : "L"}${x} ${y}`;
    })
    .join("");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Formats a share as whole percent, such as `12%` or `<1%`. Empty if there is no total. */
export function formatShare(count: number, total: number): string {
  if (total === 0) return "";
  return formatPercent(Math.min(1, count / total) * 100);
}

/** Formats a percentage of at least 0, such as `12%` or `<1%`. */
export function formatPercent(percent: number): string {
  return `${percent > 0 && percent < 1 ? "<1" : Math.round(percent).toLocaleString("en-GB")}%`;
}

/** Kinds of the lines of other series in a chart, each with its own colour. */
export const OTHER_KINDS = ["other", "third", "fourth", "fifth"] as const;
