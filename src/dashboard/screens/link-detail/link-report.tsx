import { Button } from "../../components/button.tsx";
import { StatTile } from "../../components/chart/stat-tile.tsx";
import type { Schemas } from "../../data/calls.ts";
import { BreakdownGrid } from "../../reports/breakdown-grid.tsx";
import { FilterBar } from "../../reports/filter-bar.tsx";
import { RangePicker } from "../../reports/range-picker.tsx";
import { refreshReports, useScanSeries } from "../../reports/read-scans.ts";
import { readParameter, readSubject } from "../../reports/report-state.ts";
import { type OtherLine, ScanChart } from "../../reports/scan-chart.tsx";
import { ScanStats } from "../../reports/scan-stats.tsx";
import { formatAge } from "../links/link-state.ts";
import { ComparePicker, useComparedLink } from "./compare-picker.tsx";

type Link = Schemas["Link"];

/** Scans of a link, and of another one beside it. */
export function LinkReport({ link }: { link: Link }) {
  const comparedId = readParameter("compare");
  return comparedId === "" || comparedId === link.id ? (
    <Report link={link} other={null} />
  ) : (
    <ComparedReport key={comparedId} link={link} comparedId={comparedId} />
  );
}

function ComparedReport({ link, comparedId }: { link: Link; comparedId: string }) {
  const compared = useComparedLink(comparedId);
  const series = useScanSeries(readSubject(comparedId));
  // A link that is gone has no line; the field says so.
  const other = compared.value && series.fault === null ? { name: nameLink(compared.value), series } : null;
  return <Report link={link} other={other} />;
}

function Report({ link, other }: { link: Link; other: OtherLine | null }) {
  const subject = readSubject(link.id);
  const { range, filters } = subject;
  const series = useScanSeries(subject);
  const { scan_count, imported_scans, last_scan_at } = link;
  return (
    <>
      <div class="report-bar">
        <RangePicker range={range} />
        <div class="row">
          <ComparePicker link={link} />
          <Button icon="refresh" aria-label="Refresh" aria-keyshortcuts="r" onClick={refreshReports} />
        </div>
      </div>
      <FilterBar filters={filters} />
      <ScanStats range={range} series={series}>
        <StatTile
          label="Of all time"
          value={(scan_count + imported_scans).toLocaleString("en-GB")}
          note={
            imported_scans > 0
              ? `${imported_scans.toLocaleString("en-GB")} of them imported`
              : last_scan_at && `Last one: ${formatAge(last_scan_at, Date.now())}`
          }
        />
      </ScanStats>
      <ScanChart
        range={range}
        name={nameLink(link)}
        fileName={`${link.short_code}-${range.days.from}-${range.days.to}`}
        series={series}
        other={other}
      />
      <BreakdownGrid subject={subject} hasRules={link.routing_rules.length > 0} />
    </>
  );
}

function nameLink({ title, short_code }: Link): string {
  return title ?? `/${short_code}`;
}
