import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { StatTile } from "../../components/chart/stat-tile.tsx";
import { formatAge } from "../../components/format-moment.ts";
import { FaultNotice } from "../../components/states.tsx";
import type { Schemas } from "../../data/calls.ts";
import { BreakdownGrid } from "../../reports/breakdown-grid.tsx";
import { FilterBar } from "../../reports/filter-bar.tsx";
import { RangePicker } from "../../reports/range-picker.tsx";
import { refreshReports, useScanSeries } from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { readParameter, readSubject } from "../../reports/report-state.ts";
import { ScanChart } from "../../reports/scan-chart.tsx";
import { ScanStats } from "../../reports/scan-stats.tsx";
import { ComparePicker, describeLink } from "./compare-picker.tsx";
import { type ComparedLink, ComparedLinkReader } from "./compared-link.tsx";

type Link = Schemas["Link"];

/** Scans of a link, optionally compared with another link. */
export function LinkReport({ link }: { link: Link }) {
  const subject = readSubject(link.id);
  const { range, filters } = subject;
  const series = useScanSeries(subject);
  const asked = readParameter("compare");
  const comparedId = asked === link.id ? "" : asked;
  const [read, setRead] = useState<ComparedLink | null>(null);
  const compared = read?.id === comparedId ? read : null;
  return (
    <>
      <div class={reportCss.bar}>
        <RangePicker range={range} />
        <div class="row">
          <ComparePicker link={link} chosenId={comparedId} chosenName={nameCompared(compared)} />
          <Button icon="refresh" aria-label="Refresh" aria-keyshortcuts="r" onClick={refreshReports} />
        </div>
      </div>
      {comparedId !== "" && <ComparedLinkReader key={comparedId} id={comparedId} onRead={setRead} />}
      <FilterBar filters={filters} />
      <ScanStats range={range} series={series}>
        <AllTime link={link} />
      </ScanStats>
      {compared !== null && compared.fault !== null && <FaultNotice fault={compared.fault} />}
      <ScanChart
        range={range}
        name={nameLink(link)}
        fileName={`${link.short_code}-${range.days.from}-${range.days.to}`}
        series={series}
        other={compared?.link && { name: nameLink(compared.link), series: compared.series }}
      />
      <BreakdownGrid subject={subject} fileName={link.short_code} hasRules={link.routing_rules.length > 0} />
    </>
  );
}

function AllTime({ link: { scan_count, imported_scans, last_scan_at } }: { link: Link }) {
  const last = last_scan_at && `Last scan ${formatAge(last_scan_at, Date.now())}`;
  return (
    <StatTile
      label="All time"
      value={(scan_count + imported_scans).toLocaleString("en-GB")}
      note={imported_scans > 0 ? `including ${imported_scans.toLocaleString("en-GB")} imported` : last}
    />
  );
}

function nameCompared(compared: ComparedLink | null): string | null {
  if (compared === null) return null;
  if (compared.link) return describeLink(compared.link);
  return compared.fault === null ? null : "Link unavailable";
}

function nameLink({ title, short_code }: Link): string {
  return title ?? `/${short_code}`;
}
