import { Sparkline } from "../../components/chart/sparkline.tsx";
import type { ShownResource } from "../../data/resources.ts";
import reportCss from "../../reports/report.module.css";
import { ReportFault } from "../../reports/report-fault.tsx";
import type { CountedSeries } from "../../reports/scan-series.ts";
import { ScanStats } from "../../reports/scan-stats.tsx";
import type { ShownRange } from "../../reports/shown-range.ts";
import css from "./scan-summary.module.css";

/** Card with the scans of the last 30 days, as numbers and as a sparkline. */
export function ScanSummary({ series, range }: { series: ShownResource<CountedSeries>; range: ShownRange }) {
  const { value, fault, reload } = series;
  return (
    <section class={`${reportCss.card} ${css.summary}`} aria-label="Scans in the last 30 days">
      <div class={reportCss.head}>
        <h2 class={reportCss.title}>Last 30 days</h2>
        <a class="small" href="/analytics">
          {" "}
          View analytics{" "}
        </a>
      </div>
      {fault !== null && <ReportFault fault={fault} onRetry={reload} />}
      <ScanStats range={range} series={series} />
      <div class={css.sparklineBox}>
        {/* Leaves out today, because an incomplete day would look like a drop. */}
        {value && <Sparkline values={value.points.slice(0, -1).map(({ scans }) => scans)} />}
      </div>
    </section>
  );
}
