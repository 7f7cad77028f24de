// Pure: no I/O, clock or randomness.
import { escapeHtml } from "../pages/plate.ts";

/** Draws charts as SVG that stretches to any width. Labels are HTML, because stretching would distort them. */

/** Width of a bar with its gap, and of the bar alone, in units of the drawing. */
const STEP = 10;
const BAR = 8;
const HEIGHT = 100;

/** Bar of a chart. `label` contains its date and its value. */
interface Bar {
  label: string;
  scans: number;
}

/** Texts of a chart. `marks` are shown below it, from its start to its end. */
interface ChartTexts {
  title: string;
  marks: readonly string[];
  format: (value: number) => string;
}

/** Renders bars beside a scale that ends with a round number. Time runs from left to right in all languages. */
export function renderChart(bars: readonly Bar[], { title, marks, format }: ChartTexts): string {
  const top = roundUp(Math.max(...bars.map(({ scans }) => scans), 0));
  const rects = bars.map(({ label, scans }, index) => {
    const height = Math.round((scans / top) * HEIGHT * 100) / 100;
    const x = index * STEP + (STEP - BAR) / 2;
    return `<rect x="${x}" y="${HEIGHT - height}" width="${BAR}" height="${height}"><title>${escapeHtml(label)}</title></rect>`;
  });
  const dates = marks.map((mark) => `<bdi>${escapeHtml(mark)}</bdi>`);
  return `<div class="chart" dir="ltr">
<div class="scale" aria-hidden="true"><span>${format(top)}</span><span>${format(top / 2)}</span><span>${format(0)}</span></div>
<svg viewBox="0 0 ${bars.length * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${escapeHtml(title)}">${rects.join("")}</svg>
<div class="axis" aria-hidden="true">${dates.join("")}</div>
</div>`;
}

/** Renders a horizontal bar whose length is the share of the most frequent value. */
export function renderBar(scans: number, most: number): string {
  const percent = most === 0 ? 0 : Math.round((scans / most) * 1_000) / 10;
  return `<svg class="bar" aria-hidden="true"><rect width="${percent}%" height="100%"/></svg>`;
}

/** Returns the smallest of 2, 4, 10, 20, 40, 100 and so on that is at least `value`. Each has a whole half. */
function roundUp(value: number): number {
  let power = 1;
  while (power * 10 < value) power *= 10;
  return [2, 4, 10].map((factor) => factor * power).find((round) => round >= value) ?? 2;
}
