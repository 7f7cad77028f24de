import { useMemo } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { query, setQuery } from "../../address/address.ts";
import { readChoice } from "../../address/query-state.ts";
import fieldCss from "../../components/field.module.css";
import { Segments } from "../../components/segments.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { api, callApi } from "../../data/calls.ts";
import { shortenAddress } from "../../data/link-state.ts";
import { useResource } from "../../data/resources.ts";
import { VALUES_MAX } from "../../data/service-limits.ts";
import type { Page } from "../pages/page-store.ts";
import { VisitChart } from "./visit-chart.tsx";
import { findFirstDay, matchClicks, sumCounts, VISIT_RANGES } from "./visit-days.ts";
import visitsCss from "./visits.module.css";

const RANGES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;
const ITEMS_MAX = 8;

/** Reads a page's views and clicks of the last `days` days: by day, and by link, country and referrer. */
async function readVisits(id: string, days: number) {
  const path = { page_id: id };
  const from_date = findFirstDay(days, Date.now());
  const readDays = (metric: "views" | "clicks") =>
    callApi(
      api.GET("/v1/bio/pages/{page_id}/analytics/timeseries", {
        params: { path, query: { metric, interval: "day", from_date } },
      }),
    ).then(({ data }) => data.points);
  const readItems = (by: "country" | "referrer" | "link", metric: "views" | "clicks", limit: number) =>
    callApi(
      api.GET("/v1/bio/pages/{page_id}/analytics/breakdown", {
        params: { path, query: { metric, by, from_date, limit } },
      }),
    ).then(({ data }) => data.items);
  const [views, clicks, links, countries, referrers] = await Promise.all([
    readDays("views"),
    readDays("clicks"),
    readItems("link", "clicks", VALUES_MAX),
    readItems("country", "views", ITEMS_MAX),
    readItems("referrer", "views", ITEMS_MAX),
  ]);
  return { views, clicks, links, countries, referrers };
}

/** Visits tab: views and clicks over time, by link, country and referrer. */
export function VisitsTab({ page }: { page: Page }) {
  const range = readChoice(query.value, "days", VISIT_RANGES);
  const visits = useResource(`page-visits/${page.id} ${range}`, () => readVisits(page.id, Number(range)));
  const regions = useMemo(() => new Intl.DisplayNames(["en-GB"], { type: "region" }), []);
  const shown = visits.value;
  const nameCountry = (code: string) => (/^[A-Z]{2}$/.test(code) ? (regions.of(code) ?? code) : "Unknown");
  return (
    <div class="stack" aria-busy={shown === undefined && visits.fault === null}>
      <Segments
        label="Date range"
        segments={RANGES}
        value={range}
        onChange={(days) => setQuery({ days: days === VISIT_RANGES[0] ? null : days })}
      />
      {visits.fault !== null && <FaultNotice fault={visits.fault} onRetry={visits.reload} />}
      {shown === undefined ? (
        visits.fault === null && (
          <>
            <Skeleton width="w-3" />
            <div class={visitsCss.visitChart} />
            <Skeleton width="w-7" />
          </>
        )
      ) : (
        <>
          <div class={visitsCss.visitCharts}>
            <VisitChart title="Views" points={shown.views} total={sumCounts(shown.views)} />
            <VisitChart title="Clicks" points={shown.clicks} total={sumCounts(shown.clicks)} />
          </div>
          {sumCounts(shown.views) + sumCounts(shown.clicks) === 0 && (
            <p class={fieldCss.hint}>
              {page.is_published
                ? "No visits in this period. Share the page's URL or print its QR code."
                : "This page isn't published yet, so it has no visits."}
            </p>
          )}
          <CountList
            title="Clicks by link"
            items={matchClicks(shown.links, page.page_data.links ?? []).map(({ label, url, count }) => ({
              name: label || shortenAddress(url),
              note: label === "" ? "Removed from page" : shortenAddress(url),
              count,
            }))}
          />
          <div class={visitsCss.visitCharts}>
            <CountList
              title="Countries"
              items={shown.countries.map(({ value, count }) => ({ name: nameCountry(value), count }))}
            />
            <CountList
              title="Referrers"
              items={shown.referrers.map(({ value, count }) => ({
                name: value === "direct" || value === "unknown" || value === "" ? "Direct" : value,
                count,
              }))}
            />
          </div>
          <p class={fieldCss.hint}>
            Excludes bots and link previews. All time: {formatCount(page.view_count, "view")},{" "}
            {formatCount(page.click_count, "click")}.
          </p>
        </>
      )}
    </div>
  );
}

interface CountListProps {
  title: string;
  items: readonly { name: string; note?: string; count: number }[];
}

function CountList({ title, items }: CountListProps) {
  if (items.length === 0) return null;
  return (
    <section class="stack tight">
      <h2 class={visitsCss.title}>{title}</h2>
      <ul class={visitsCss.counts}>
        {items.map(({ name, note, count }) => (
          <li key={`${name} ${note}`} class="row">
            <span class="one-line">
              {name}
              {note && <span class="muted small"> {note}</span>}
            </span>
            <span class="push numeric">{count.toLocaleString("en-GB")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
