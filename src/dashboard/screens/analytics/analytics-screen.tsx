import { setQuery } from "../../address/address.ts";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import { StatTile } from "../../components/chart/stat-tile.tsx";
import screenCss from "../../components/screen.module.css";
import { EmptyState } from "../../components/states.tsx";
import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { BreakdownGrid } from "../../reports/breakdown-grid.tsx";
import { FilterBar, RangeFilters } from "../../reports/filter-bar.tsx";
import { FirstScan } from "../../reports/first-scan.tsx";
import { LabelFilter } from "../../reports/label-filter.tsx";
import { RangePicker } from "../../reports/range-picker.tsx";
import {
  type ReportSubject,
  refreshReports,
  useBreakdown,
  useRefreshOnReturn,
  useScanSeries,
} from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { readSubject } from "../../reports/report-state.ts";
import { ScanChart } from "../../reports/scan-chart.tsx";
import { isFiltered } from "../../reports/scan-filters.ts";
import { sumScans } from "../../reports/scan-series.ts";
import { ScanStats } from "../../reports/scan-stats.tsx";
import { nameValue } from "../../reports/value-names.ts";
import { canEdit } from "../../session/session.ts";
import { LinkRanking } from "./link-ranking-table.tsx";

/** Analytics of all links: scans over time, by attributes such as country and device, and by link. */
export default function AnalyticsScreen() {
  const subject = readSubject();
  const { range, filters } = subject;
  const series = useScanSeries(subject);
  const links = useBreakdown("link", subject);
  useRefreshOnReturn();
  useShortcuts([{ keys: "r", label: "Refresh", run: refreshReports }]);
  const { value } = series;
  const isEmpty =
    value !== undefined &&
    !isFiltered(filters) &&
    sumScans(value.points) === 0 &&
    sumScans(value.before ?? []) === 0;
  const name =
    filters.traffic === "human" ? "Scans" : `Traffic: ${nameValue("traffic", filters.traffic).text}`;
  const items = links.value?.items;
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Analytics</h1>
        <div class={reportCss.bar}>
          <RangePicker range={range} />
          <RangeFilters filters={filters} />
          <LabelFilter label={filters.label} />
          <Button icon="refresh" aria-label="Refresh" aria-keyshortcuts="r" onClick={refreshReports} />
        </div>
      </div>
      <FilterBar filters={filters} />
      {isEmpty ? (
        <NoScans subject={subject} />
      ) : (
        <>
          <ScanStats range={range} series={series}>
            <StatTile
              label="Scanned links"
              value={items === undefined ? undefined : items.length < 100 ? items.length : "100+"}
            />
          </ScanStats>
          <ScanChart
            range={range}
            name={name}
            fileName={`scans-${range.days.from}-${range.days.to}`}
            series={series}
          />
          <BreakdownGrid subject={subject} fileName="scans" />
          <LinkRanking links={links} range={range} label={filters.label} />
        </>
      )}
    </div>
  );
}

/** Empty state. Explains how to get a first scan, or says that the range has no scans. */
function NoScans({ subject: { range } }: { subject: ReportSubject }) {
  const newest = useResource("newest-link", async () => {
    const { data } = await callApi(api.GET("/v1/links", { params: { query: { limit: 1 } } }));
    return data[0] ?? null;
  });
  const link = newest.value;
  if (link) {
    return link.scan_count === 0 ? (
      <FirstScan key={link.id} link={link} />
    ) : (
      <EmptyState
        title="No scans in this period"
        actions={
          range.preset !== "90d" && (
            <Button onClick={() => setQuery({ range: "90d", from: null, to: null })}>
              Show the last 90 days
            </Button>
          )
        }
      >
        No links were opened in this period or the one before it.
      </EmptyState>
    );
  }
  if (link === undefined) return <div class={`${reportCss.card} ${reportCss.waiting}`} aria-busy="true" />;
  return (
    <EmptyState
      title="No scans yet"
      actions={
        canEdit.value && (
          <a class={`${buttonCss.button} ${buttonCss.primary}`} data-ui="button" href="/links?link=new">
            Create link
          </a>
        )
      }
    >
      Scans include clicks on your short links and scans of their QR codes. When the first one arrives, you'll
      see when, where and on which device.
    </EmptyState>
  );
}
