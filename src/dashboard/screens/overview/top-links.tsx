import { BreakdownList } from "../../components/chart/breakdown-list.tsx";
import { useBreakdown } from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { ReportFault } from "../../reports/report-fault.tsx";
import { readScanFilters } from "../../reports/scan-filters.ts";
import type { ShownRange } from "../../reports/shown-range.ts";

const SHOWN = 5;

/** Card with the links that have the most scans. */
export function TopLinks({ range }: { range: ShownRange }) {
  // Totals per link are stored per UTC day. Any other time zone would make the server read every single scan.
  const subject = { range: { ...range, zone: "UTC" }, filters: readScanFilters("") };
  const { value, fault, isStale, reload } = useBreakdown("link", subject);
  const items = value?.items;
  return (
    <section class={reportCss.card} aria-label="Top links">
      <h2 class={reportCss.title}>Top links</h2>
      {fault !== null ? (
        <ReportFault fault={fault} onRetry={reload} />
      ) : (
        <BreakdownList
          label="Top links"
          items={items?.slice(0, SHOWN).map(({ value, scans, short_code, title }) => ({
            value,
            text: short_code ? (title ?? `/${short_code}`) : "Deleted link",
            count: scans,
            href: short_code ? `/links/${value}` : undefined,
          }))}
          total={items?.reduce((sum, { scans }) => sum + scans, 0) ?? 0}
          isStale={isStale}
        />
      )}
      {items?.length === 0 && <p class="small muted">No scans in the last 30 days.</p>}
    </section>
  );
}
