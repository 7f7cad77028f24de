import type { ComponentChildren } from "preact";
import { StatRow, StatTile } from "../components/chart/stat-tile.tsx";
import type { ShownResource } from "../data/resources.ts";
import { formatPoint } from "./point-names.ts";
import {
  averagePerDay,
  type CountedSeries,
  compareCounts,
  findPeak,
  formatChange,
  formatVisitors,
  sumScans,
  sumVisitors,
} from "./scan-series.ts";
import type { ShownRange } from "./shown-range.ts";

interface ScanStatsProps {
  range: ShownRange;
  series: ShownResource<CountedSeries>;
  /** Additional tiles. */
  children?: ComponentChildren;
}

const count = (value: number) => value.toLocaleString("en-GB");
const PEAKS = {
  hour: "Busiest hour",
  day: "Busiest day",
  week: "Busiest week",
  month: "Busiest month",
} as const;

/** Sum, average and peak of a range. */
export function ScanStats({ range, series: { value, fault }, children }: ScanStatsProps) {
  if (fault !== null && value === undefined) return <StatRow>{children}</StatRow>;
  const sum = value && sumScans(value.points);
  const before = value?.before ? sumScans(value.before) : null;
  const change = sum === undefined || before === null ? null : compareCounts(sum, before);
  const visitors = value && sumVisitors(value.points);
  // Hours have no visitors. The tile keeps its place while the others load.
  const hasVisitors = value === undefined ? !range.isHours : visitors !== null;
  const peak = value && findPeak(value.points);
  const average = value && averagePerDay(value.points, range.days);
  return (
    <StatRow>
      <StatTile
        label="Scans"
        value={sum === undefined ? undefined : `${value?.isSampled ? "about " : ""}${count(sum)}`}
        change={change && { text: formatChange(change), direction: change.direction }}
        note={before === null ? undefined : `Previous period: ${count(before)}`}
      />
      {hasVisitors && (
        <StatTile
          label="Visitors"
          value={visitors ? formatVisitors(visitors) : undefined}
          note="Counted once a day"
        />
      )}
      <StatTile
        label={range.isHours ? "Average per hour" : "Average per day"}
        value={average === undefined ? undefined : formatAverage(range.isHours ? (sum ?? 0) / 24 : average)}
      />
      <StatTile
        label={PEAKS[range.interval]}
        value={value === undefined ? undefined : peak ? count(peak.scans) : "–"}
        note={peak ? formatPoint(peak.date, range.interval) : undefined}
      />
      {children}
    </StatRow>
  );
}

function formatAverage(average: number): string {
  return average.toLocaleString("en-GB", { maximumFractionDigits: average < 10 ? 1 : 0 });
}
