import type { Point } from "../../analytics/buckets.ts";
import { setQuery } from "../address/address.ts";
import { Button } from "../components/button.tsx";
import { OTHER_KINDS } from "../components/chart/chart-scale.ts";
import type { ChartLine } from "../components/chart/draw-time-chart.ts";
import { ChartLegend, TimeChart } from "../components/chart/time-chart.tsx";
import { Check, Select } from "../components/field.tsx";
import type { ShownResource } from "../data/resources.ts";
import { ExportButton } from "./export-button.tsx";
import { formatPoint, formatTick } from "./point-names.ts";
import reportCss from "./report.module.css";
import { ReportFault } from "./report-fault.tsx";
import { readParameter } from "./report-state.ts";
import type { ScanSeries } from "./scan-series.ts";
import { findDay, type ShownRange } from "./shown-range.ts";

/** Line of another series, for comparison. */
export interface OtherLine {
  name: string;
  series: ShownResource<ScanSeries>;
}

interface ScanChartProps {
  range: ShownRange;
  /** Name of the main line. */
  name: string;
  fileName: string;
  series: ShownResource<ScanSeries>;
  /** Up to four other series. */
  others?: readonly OtherLine[];
}

const INTERVAL_NAMES = { hour: "Hour", day: "Day", week: "Week", month: "Month" } as const;

/** Chart of scans over time, with the previous period and other series for comparison. */
export function ScanChart({ range, name, fileName, series, others = [] }: ScanChartProps) {
  const isTable = readParameter("view") === "table";
  const isCompared = readParameter("before") === "on" && range.before !== null;
  const { value, fault } = series;
  const { interval, intervals } = range;
  const dates = value?.points.map(({ date }) => date) ?? [];
  const isOneDay = interval === "hour" && dates.length <= 25;
  const points = dates.map((date) => formatPoint(date, interval));
  const lines = value && buildLines(name, value, isCompared, others, dates.length);
  return (
    <section class={reportCss.card} aria-label="Scans over time">
      <div class={reportCss.head}>
        <ChartLegend lines={lines ? listTotals(lines) : [{ name, kind: "main" }]} />
        <div class={reportCss.tools}>
          {range.before !== null && (
            <Check
              label="Previous period"
              isSwitch
              isChecked={isCompared}
              onChange={(isOn) => setQuery({ before: isOn ? "on" : null })}
            />
          )}
          {intervals.length > 1 && (
            <Select
              label="Group by"
              value={interval}
              choices={intervals.map((value) => ({ value, label: INTERVAL_NAMES[value] }))}
              onChange={(value) => setQuery({ interval: value })}
            />
          )}
          <Button
            size="s"
            icon={isTable ? "chart" : "table"}
            aria-pressed={isTable}
            onClick={() => setQuery({ view: isTable ? null : "table" })}
          >
            {isTable ? "Show as chart" : "Show as table"}
          </Button>
          <ExportButton name={fileName} rows={lines && (() => toRows(dates, lines, value?.points))} />
        </div>
      </div>
      {fault !== null ? (
        <ReportFault fault={fault} onRetry={series.reload} />
      ) : (
        <TimeChart
          label={name}
          points={points}
          ticks={dates.map((date) => formatTick(date, interval, isOneDay))}
          isOpen={range.days.to >= findDay(Date.now(), range.zone)}
          lines={lines}
          isStale={series.isStale}
          isTable={isTable}
        />
      )}
      <p class={reportCss.foot}>{describeZone(range)}</p>
    </section>
  );
}

function buildLines(
  name: string,
  { points, before }: ScanSeries,
  isCompared: boolean,
  others: readonly OtherLine[],
  length: number,
): ChartLine[] {
  const fill = (list: readonly { scans: number }[] | null | undefined) =>
    Array.from({ length }, (_, index) => list?.[index]?.scans ?? null);
  return [
    { name, kind: "main", values: fill(points) },
    ...(isCompared ? [{ name: "Previous period", kind: "before" as const, values: fill(before) }] : []),
    ...others.flatMap(({ name, series }, index) => {
      const kind = OTHER_KINDS[index];
      return kind === undefined ? [] : [{ name, kind, values: fill(series.value?.points) }];
    }),
  ];
}

/** Adds the total of each line, if there are several to compare. */
function listTotals(lines: readonly ChartLine[]) {
  if (lines.length < 2) return lines;
  return lines.map((line) => ({
    ...line,
    total: line.values.reduce<number>((sum, value) => sum + (value ?? 0), 0),
  }));
}

function toRows(
  dates: readonly string[],
  lines: readonly ChartLine[],
  points: readonly Point[] = [],
): (string | number)[][] {
  const hasVisitors = points.some(({ visitors }) => visitors !== undefined);
  const header = ["date", ...lines.map(({ name }) => name), ...(hasVisitors ? ["visitors"] : [])];
  return [
    header,
    ...dates.map((date, index) => [
      date,
      ...lines.map(({ values }) => values[index] ?? ""),
      ...(hasVisitors ? [points[index]?.visitors?.count ?? ""] : []),
    ]),
  ];
}

function describeZone({ zone, isShortened }: ShownRange): string {
  const days = zone === "UTC" ? "Days in UTC" : `Times in ${zone.replaceAll("_", " ")}`;
  return isShortened ? `${days}. Filters only cover the last 33 days.` : days;
}
