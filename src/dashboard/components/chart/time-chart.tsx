import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import { theme } from "../../session/session.ts";
import { joinClasses } from "../button.tsx";
import chartCss from "./chart.module.css";
import { moveCursor } from "./chart-scale.ts";
import { ChartTable } from "./chart-table.tsx";
import type { ChartLine, CursorPosition, DrawnChart } from "./draw-time-chart.ts";

const isSystemDark = matchMedia("(prefers-color-scheme: dark)");
/** Tracks the system theme, because a canvas must be redrawn when the theme changes. */
const systemTheme = signal(isSystemDark.matches);
isSystemDark.addEventListener("change", ({ matches }) => {
  systemTheme.value = matches;
});

interface TimeChartProps {
  /** Name of the counted thing. It labels the chart for screen readers. */
  label: string;
  /** Full names of the points. `ticks` are the short names for the axis. */
  points: readonly string[];
  ticks: readonly string[];
  /** True if the last point's period isn't over yet, so the line to it is dotted. */
  isOpen?: boolean | undefined;
  /** Undefined until lines are first loaded. */
  lines: readonly ChartLine[] | undefined;
  /** True while the shown data belongs to the previous range. */
  isStale?: boolean | undefined;
  /** Shows the values as a table instead. Screen readers always have the table. */
  isTable?: boolean | undefined;
}

/** Line chart over time. Arrow keys move the cursor, and screen readers announce each point. */
export function TimeChart({ label, points, ticks, isOpen = false, lines, isStale, isTable }: TimeChartProps) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<DrawnChart | null>(null);
  const [position, setPosition] = useState<CursorPosition | null>(null);
  const [isMissing, setMissing] = useState(false);
  const colours = `${theme.value} ${systemTheme.value}`;
  const drawn = JSON.stringify([ticks, lines, isOpen, isTable, colours]);

  useEffect(() => {
    if (lines === undefined || isTable) return;
    let isCurrent = true;
    setPosition(null);
    setMissing(false);
    import("./draw-time-chart.ts").then(
      ({ drawTimeChart }) => {
        if (isCurrent && host.current)
          chart.current = drawTimeChart(host.current, { ticks, lines, isOpen }, setPosition);
      },
      () => isCurrent && setMissing(true),
    );
    return () => {
      isCurrent = false;
      chart.current?.remove();
      chart.current = null;
    };
  }, [drawn]);

  const handleKey = (event: KeyboardEvent) => {
    const next = moveCursor(event.key, position?.index ?? null, points.length);
    if (event.key === "Escape" && position !== null) chart.current?.point(null);
    else if (next !== null && !event.altKey && !event.ctrlKey && !event.metaKey) chart.current?.point(next);
    else return;
    event.preventDefault();
  };
  const index = position?.index ?? points.length - 1;
  const shown = lines && describe(points[index], lines, index);
  return (
    <div
      class={joinClasses(chartCss.chart, isStale && chartCss.stale)}
      aria-busy={lines === undefined || undefined}
    >
      {!isTable && (
        // With the slider role, screen readers pass on arrow keys and announce each value.
        <div
          class={chartCss.plot}
          role="slider"
          tabIndex={0}
          aria-label={`${label} (chart)`}
          aria-orientation="horizontal"
          aria-valuemin={0}
          aria-valuemax={Math.max(0, points.length - 1)}
          aria-valuenow={Math.max(0, index)}
          aria-valuetext={shown ?? "Loading"}
          onKeyDown={handleKey}
          onBlur={() => chart.current?.point(null)}
        >
          <div class={chartCss.host} ref={host} />
          {isMissing && (
            <p class={chartCss.note}>The chart couldn't be loaded. See the table below for the data.</p>
          )}
          {position && lines && points[position.index] !== undefined && (
            <Readout
              title={points[position.index] as string}
              lines={lines}
              position={position}
              count={points.length}
            />
          )}
        </div>
      )}
      {lines && <ChartTable label={label} points={points} lines={lines} isShown={isTable || isMissing} />}
    </div>
  );
}

/** Describes a point for screen readers. */
function describe(point: string | undefined, lines: readonly ChartLine[], index: number): string {
  const values = lines.map(({ name, values }) => `${name}: ${formatValue(values[index])}`);
  return `${point ?? "No data"}. ${values.join(", ")}`;
}

export function formatValue(value: number | null | undefined): string {
  return value == null ? "none" : value.toLocaleString("en-GB");
}

interface ReadoutProps {
  title: string;
  lines: readonly ChartLine[];
  position: CursorPosition;
  count: number;
}

/** Box next to the cursor with the values of the current point. */
function Readout({ title, lines, position: { index, leftPx }, count }: ReadoutProps) {
  return (
    <div
      data-ui="chart-readout"
      class={joinClasses(chartCss.readout, index > count / 2 && chartCss.atEnd)}
      style={{ "--x": `${leftPx}px` }}
      aria-hidden="true"
    >
      <b>{title}</b>
      {lines.map(({ name, kind, values }) => (
        <span key={kind} class="row">
          <i class={chartCss.swatchLine} data-kind={kind} />
          <span class="one-line">{name}</span>
          <span class="push numeric">{formatValue(values[index])}</span>
        </span>
      ))}
    </div>
  );
}

interface LegendLine extends Pick<ChartLine, "name" | "kind"> {
  /** Sum of the line's values, shown if lines are compared. */
  total?: number | undefined;
}

/** Names of the lines, with samples of how they are drawn. */
export function ChartLegend({ lines }: { lines: readonly LegendLine[] }) {
  return (
    <ul class={chartCss.legend}>
      {lines.map(({ name, kind, total }) => (
        <li key={kind} class="row">
          <i class={chartCss.swatchLine} data-kind={kind} />
          <span class="one-line">{name}</span>
          {total !== undefined && <b class="numeric">{formatValue(total)}</b>}
        </li>
      ))}
    </ul>
  );
}
