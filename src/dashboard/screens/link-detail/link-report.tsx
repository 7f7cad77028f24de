import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { StatTile } from "../../components/chart/stat-tile.tsx";
import { formatAge } from "../../components/format-moment.ts";
import { FaultNotice } from "../../components/states.tsx";
import type { Schemas } from "../../data/calls.ts";
import { BreakdownGrid } from "../../reports/breakdown-grid.tsx";
import { FilterBar, RangeFilters } from "../../reports/filter-bar.tsx";
import { RangePicker } from "../../reports/range-picker.tsx";
import { refreshReports, useScanSeries } from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { readParameter, readSubject } from "../../reports/report-state.ts";
import { ScanChart } from "../../reports/scan-chart.tsx";
import { ScanStats } from "../../reports/scan-stats.tsx";
import { ComparePicker, describeLink, readComparedIds } from "./compare-picker.tsx";
import { type ComparedLink, ComparedLinkReader } from "./compared-link.tsx";

type Link = Schemas["Link"];

/** Scans of a link, optionally compared with up to four other links. */
export function LinkReport({ link }: { link: Link }) {
  const subject = readSubject(link.id);
  const { range, filters } = subject;
  const series = useScanSeries(subject);
  const comparedIds = readComparedIds(readParameter("compare"), link.id);
  const [read, setRead] = useState<ReadonlyMap<string, ComparedLink>>(new Map());
  const compared = comparedIds.flatMap((id) => read.get(id) ?? []);
  const keep = (next: ComparedLink) => setRead((before) => new Map(before).set(next.id, next));
  const fault = compared.find(({ fault }) => fault !== null)?.fault ?? null;
  return (
    <>
      <div class={reportCss.bar}>
        <RangePicker range={range} />
        <div class="row">
          <RangeFilters filters={filters} />
          <ComparePicker
            link={link}
            chosen={comparedIds.map((id) => ({ value: id, label: nameCompared(read.get(id)) }))}
          />
          <Button icon="refresh" aria-label="Refresh" aria-keyshortcuts="r" onClick={refreshReports} />
        </div>
      </div>
      {comparedIds.map((id) => (
        <ComparedLinkReader key={id} id={id} onRead={keep} />
      ))}
      <FilterBar filters={filters} />
      <ScanStats range={range} series={series}>
        <AllTime link={link} />
      </ScanStats>
      {fault !== null && <FaultNotice fault={fault} />}
      <ScanChart
        range={range}
        name={nameLink(link)}
        fileName={`${link.short_code}-${range.days.from}-${range.days.to}`}
        series={series}
        others={compared.flatMap(({ link, series }) => (link ? [{ name: nameLink(link), series }] : []))}
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

function nameCompared(compared: ComparedLink | undefined): string {
  if (compared?.link) return describeLink(compared.link);
  return compared === undefined || compared.fault === null ? "…" : "Link unavailable";
}

function nameLink({ title, short_code }: Link): string {
  return title ?? `/${short_code}`;
}
