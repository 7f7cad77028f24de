import { formatCount } from "../../../core/format-count.ts";
import { setQuery } from "../../address/address.ts";
import { Button } from "../../components/button.tsx";
import { formatShare } from "../../components/chart/chart-scale.ts";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { shortenAddress } from "../../data/link-state.ts";
import type { ShownResource } from "../../data/resources.ts";
import { ExportButton } from "../../reports/export-button.tsx";
import type { BreakdownItemData, ReadBreakdown } from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { ReportFault } from "../../reports/report-fault.tsx";
import { readParameter } from "../../reports/report-state.ts";
import { formatVisitors } from "../../reports/scan-series.ts";
import type { ShownRange } from "../../reports/shown-range.ts";
import css from "./link-ranking-table.module.css";

const SHOWN = 10;

interface LinkRankingProps {
  links: ShownResource<ReadBreakdown>;
  range: ShownRange;
  /** Label that all these links have. */
  label: string | undefined;
}

/** Table of links by number of scans in a range, highest first. */
export function LinkRanking({ links: { value, fault, reload }, range, label }: LinkRankingProps) {
  const items = value?.items;
  const isWhole = readParameter("links") === "all";
  const total = items?.reduce((sum, { scans }) => sum + scans, 0) ?? 0;
  const more = (items?.length ?? 0) - SHOWN;
  if (items?.length === 0) return null;
  return (
    <section class={dataTableCss.frame} aria-label="Links by scans">
      <div class={`${reportCss.head} ${css.head}`}>
        <h2 class={reportCss.title}>{label === undefined ? "Links" : `Links labelled “${label}”`}</h2>
        <ExportButton
          name={`links-${range.days.from}-${range.days.to}`}
          rows={
            items &&
            (() => [["link_id", "short_code", "destination", "scans", "visitors"], ...items.map(toRow)])
          }
        />
      </div>
      {fault !== null ? (
        <ReportFault fault={fault} onRetry={reload} />
      ) : (
        <DataTable
          label="Links by scans"
          columns={buildColumns(total)}
          rows={isWhole ? items : items?.slice(0, SHOWN)}
          getKey={({ value }) => value}
          getName={({ value, short_code }) => short_code ?? value}
          isDimmed={({ short_code }) => !short_code}
        />
      )}
      <div class={dataTableCss.foot}>
        <span>{items && describeCount(items.length)}</span>
        {more > 0 && (
          <Button size="s" onClick={() => setQuery({ links: isWhole ? null : "all" })}>
            {isWhole ? "Show fewer" : `Show ${more} more`}
          </Button>
        )}
      </div>
    </section>
  );
}

function describeCount(count: number): string {
  if (count === 100) return "Top 100 links by scans";
  return formatCount(count, "link");
}

function toRow(item: BreakdownItemData): (string | number)[] {
  const { value, short_code, destination, scans, visitors } = item;
  return [value, short_code ?? "", destination ?? "", scans, visitors ?? ""];
}

function buildColumns(total: number): Column<BreakdownItemData>[] {
  return [
    {
      name: "link",
      header: "Link",
      layout: "grow",
      cell: ({ value, short_code, title, destination }) =>
        short_code ? (
          <span class={css.link}>
            <a class="one-line" href={`/links/${value}`}>
              {title ?? `/${short_code}`}
            </a>
            <span class="one-line small muted">
              {title && <span class={rowNameCss.path}>/{short_code}</span>}
              {shortenAddress(destination ?? "")}
            </span>
          </span>
        ) : (
          <span class="muted">Deleted link</span>
        ),
    },
    {
      name: "share",
      header: "% of total",
      layout: "fit end more numeric",
      cell: ({ scans }) => formatShare(scans, total),
    },
    {
      name: "visitors",
      header: "Visitors",
      layout: "fit end more numeric",
      cell: ({ visitors, estimated = false }) =>
        visitors === null ? "–" : formatVisitors({ count: visitors, isEstimated: estimated }),
    },
    {
      name: "scans",
      header: "Scans",
      layout: "fit end more numeric",
      cell: ({ scans }) => <b>{scans.toLocaleString("en-GB")}</b>,
    },
  ];
}
