import uPlot from "uplot";
import { type OTHER_KINDS, pickLines, pickTicks } from "./chart-scale.ts";

/** Draws charts on a canvas with uPlot. This module and uPlot are loaded when the first chart is shown. */

/** Line of a chart. The first line is the main one. */
export interface ChartLine {
  name: string;
  kind: "main" | "before" | (typeof OTHER_KINDS)[number];
  /** Values of the points. Null where the line has no value. */
  values: readonly (number | null)[];
}

/** Lines of a chart, and the axis label of each point. */
export interface ChartData {
  ticks: readonly string[];
  lines: readonly ChartLine[];
  /** True if the last point's period isn't over yet. Lines of this period then end dotted. */
  isOpen: boolean;
}

/** Cursor position: index of a point, and its distance from the left edge of the chart. */
export interface CursorPosition {
  index: number;
  leftPx: number;
}

/** Handle for a drawn chart. */
export interface DrawnChart {
  /** Moves the cursor to a point. Null hides the cursor. */
  point(index: number | null): void;
  remove(): void;
}

const TICK_PX = 76;
const AXIS_PX = 44;
const DASHES = [5, 5];
const DOTS = [2, 4];
const compact = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });

/** Draws a chart that fills its host element. `onPoint` is called with the cursor position, or null. */
export function drawTimeChart(
  host: HTMLElement,
  { ticks, lines, isOpen }: ChartData,
  onPoint: (position: CursorPosition | null) => void,
): DrawnChart {
  const colours = readColours(host);
  const max = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const counts = pickLines(max);
  const drawn = isOpen && ticks.length > 1 ? lines.flatMap(splitLine) : lines.map(keepLine);
  const font = `${getComputedStyle(host).fontSize} ${getComputedStyle(host).fontFamily}`;
  let isTouched = false;
  const axis = { stroke: colours.muted, font, ticks: { show: false } };
  const chart = new uPlot(
    {
      ...measure(host),
      padding: [10, 24, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        // After a tap, browsers say that a mouse came and left. The cursor stays until another element is tapped.
        bind: { mouseleave: (_self, _target, handle) => (event) => (isTouched ? null : handle(event)) },
        points: { size: 9, width: 2, stroke: colours.surface, fill: (_, index) => stroke(drawn[index - 1]) },
      },
      scales: {
        x: { time: false, range: [ticks.length > 1 ? 0 : -1, Math.max(1, ticks.length - 1)] },
        y: { range: [0, counts.at(-1) ?? 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 26,
          splits: (self) => pickTicks(ticks.length, self.bbox.width / devicePixelRatio, TICK_PX),
          values: (_, indexes) => indexes.map((index) => ticks[index] ?? ""),
        },
        {
          ...axis,
          grid: { stroke: colours.line, width: 1 },
          size: AXIS_PX,
          splits: () => counts,
          values: (_, numbers) => numbers.map((number) => compact.format(number)),
        },
      ],
      series: [{}, ...drawn.map(drawLine)],
      hooks: { setCursor: [(self) => onPoint(locate(self))] },
    },
    [ticks.map((_, index) => index), ...drawn.map(({ values }) => [...values])],
    host,
  );

  function stroke(line: DrawnLine | undefined): string {
    return colours[line?.kind ?? "main"];
  }

  function drawLine(line: DrawnLine): uPlot.Series {
    const isMain = line.kind === "main";
    return {
      stroke: stroke(line),
      width: isMain ? 2 : 1.5,
      ...(line.kind === "before" && { dash: DASHES }),
      ...(line.isOpen && { dash: DOTS }),
      ...(isMain && { fill: (self: uPlot) => shade(self, colours.main) }),
      points: { show: ticks.length === 1 },
    };
  }

  chart.over.addEventListener("pointerover", ({ pointerType }) => {
    isTouched = pointerType === "touch";
  });

  const observer = new ResizeObserver(() => {
    const { width, height } = measure(host);
    if (width > 0 && (width !== chart.width || height !== chart.height)) chart.setSize({ width, height });
  });
  observer.observe(host);
  return {
    point(index) {
      const left = index === null ? -1 : chart.valToPos(index, "x");
      chart.setCursor({ left, top: index === null ? -1 : 1 });
    },
    remove() {
      observer.disconnect();
      chart.destroy();
    },
  };
}

/** Segment of a line: up to the point before an unfinished last point, or from there to the last point. */
interface DrawnLine extends ChartLine {
  isOpen: boolean;
}

function keepLine(line: ChartLine): DrawnLine {
  return { ...line, isOpen: false };
}

/**
 * Splits off the segment to the unfinished last point. The line of the previous period isn't split, because
 * that period is over.
 */
function splitLine(line: ChartLine): DrawnLine[] {
  if (line.kind === "before") return [keepLine(line)];
  const last = line.values.length - 1;
  const pick = (isPicked: (index: number) => boolean) =>
    line.values.map((value, index) => (isPicked(index) ? value : null));
  return [
    { ...line, values: pick((index) => index < last), isOpen: false },
    { ...line, values: pick((index) => index >= last - 1), isOpen: true },
  ];
}

function measure({ clientWidth, clientHeight }: HTMLElement): { width: number; height: number } {
  return { width: clientWidth, height: clientHeight };
}

function locate(chart: uPlot): CursorPosition | null {
  const { idx } = chart.cursor;
  if (idx === null || idx === undefined) return null;
  return { index: idx, leftPx: chart.valToPos(idx, "x") + chart.bbox.left / devicePixelRatio };
}

/** Returns a gradient that fades out below a line. */
function shade(chart: uPlot, colour: string): CanvasGradient {
  const { top, height } = chart.bbox;
  const gradient = chart.ctx.createLinearGradient(0, top, 0, top + height);
  const [red, green, blue] = colour.match(/[\d.]+/g) ?? [];
  gradient.addColorStop(0, `rgb(${red} ${green} ${blue} / 0.2)`);
  gradient.addColorStop(1, `rgb(${red} ${green} ${blue} / 0)`);
  return gradient;
}

const TOKENS = {
  main: "--accent",
  before: "--edge",
  other: "--contrast",
  third: "--hue-2",
  fourth: "--hue-4",
  fifth: "--hue-5",
  muted: "--muted",
  line: "--line",
  surface: "--surface",
} as const;

/** Resolves design tokens to colours, because a canvas can't use custom properties. */
function readColours(host: HTMLElement): Record<keyof typeof TOKENS, string> {
  const probe = host.appendChild(document.createElement("span"));
  const read = (token: string) => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const entries = Object.entries(TOKENS).map(([name, token]) => [name, read(token)]);
  probe.remove();
  return Object.fromEntries(entries);
}
