import type { ComponentChildren } from "preact";
import { formatCount } from "../../core/format-count.ts";
import { setQuery } from "../address/address.ts";
import { Button } from "../components/button.tsx";
import { type BreakdownItem, BreakdownList } from "../components/chart/breakdown-list.tsx";
import { Tabs } from "../components/tabs.tsx";
import { announce } from "../components/toast-list.ts";
import css from "./breakdown-card.module.css";
import { ExportButton } from "./export-button.tsx";
import { formatDays } from "./point-names.ts";
import { type BreakdownItemData, type ReportSubject, useBreakdown } from "./read-scans.ts";
import reportCss from "./report.module.css";
import { ReportFault } from "./report-fault.tsx";
import { readParameter } from "./report-state.ts";
import type { FilterName } from "./scan-filters.ts";
import { findDay, type ShownRange, toBreakdownDays } from "./shown-range.ts";
import { DIMENSION_NAMES, type Dimension, nameValue } from "./value-names.ts";

const SHOWN = 5;

interface BreakdownCardProps {
  /** Heading of the card. `parameter` is the query parameter that stores the card's state. */
  title: string;
  parameter: string;
  /** Dimensions to choose from. One is shown at a time. */
  dimensions: readonly [Dimension, ...Dimension[]];
  subject: ReportSubject;
  /** Prefix for the names of downloaded files. */
  fileName: string;
  children?: ComponentChildren;
}

/** Card with the values of a dimension. Clicking a value filters the report. */
export function BreakdownCard(props: BreakdownCardProps) {
  const { title, parameter, dimensions, subject, fileName, children } = props;
  const [asked, all] = readParameter(parameter).split(".");
  const shown = dimensions.find((name) => name === asked) ?? dimensions[0];
  const show = (name: Dimension, isWhole: boolean) =>
    setQuery({ [parameter]: isWhole ? `${name}.all` : name === dimensions[0] ? null : name });
  const content = (
    <Values
      key={shown}
      by={shown}
      subject={subject}
      fileName={fileName}
      isWhole={all === "all"}
      onWhole={(isWhole) => show(shown, isWhole)}
    />
  );
  return (
    <section class={reportCss.card} aria-label={title}>
      {dimensions.length === 1 ? (
        <>
          <h2 class={reportCss.title}>{title}</h2>
          {content}
        </>
      ) : (
        <>
          <h2 class="visually-hidden">{title}</h2>
          <Tabs
            label={title}
            tabs={dimensions.map((name) => ({ name, label: DIMENSION_NAMES[name].many }))}
            shown={shown}
            onShow={(name) => show(name, false)}
          >
            {content}
          </Tabs>
        </>
      )}
      {children}
    </section>
  );
}

interface ValuesProps {
  by: Dimension;
  subject: ReportSubject;
  fileName: string;
  isWhole: boolean;
  onWhole: (isWhole: boolean) => void;
}

function Values({ by, subject, fileName, isWhole, onWhole }: ValuesProps) {
  const { value, fault, isStale, reload } = useBreakdown(by, subject);
  if (fault !== null) return <ReportFault fault={fault} onRetry={reload} />;
  const items = value?.items;
  if (items?.length === 0) return <p class={css.none}>No data for this period.</p>;
  const total = items?.reduce((sum, { scans }) => sum + scans, 0) ?? 0;
  const chosen = by === "traffic" ? subject.filters.traffic : subject.filters.values[by as FilterName];
  const choose = (text: string) => {
    const isOff = chosen === text || (by === "traffic" && text === "human");
    setQuery({ [by]: isOff ? null : text });
    announce(isOff ? "Filter removed" : `Filtered by ${nameValue(by, text).text}`);
  };
  const { many } = DIMENSION_NAMES[by];
  const days = findCountedDays(by, subject.range);
  const more = (items?.length ?? 0) - SHOWN;
  return (
    <>
      <BreakdownList
        label={many}
        items={(isWhole ? items : items?.slice(0, SHOWN))?.map((item) => toItem(by, item, chosen))}
        total={total}
        isStale={isStale}
        onChoose={choose}
      />
      <div class={reportCss.foot}>
        <span>{describeDays(by, subject, value?.isUtc ?? false)}</span>
        <span class="row">
          {more > 0 && (
            <Button kind="plain" size="s" onClick={() => onWhole(!isWhole)}>
              {isWhole ? "Show fewer" : `Show ${more} more`}
            </Button>
          )}
          <ExportButton
            kind="plain"
            name={`${fileName}-${many.toLowerCase()}-${days.from}-${days.to}`}
            what={many.toLowerCase()}
            rows={isStale ? undefined : items && (() => toRows(by, items))}
          />
        </span>
      </div>
    </>
  );
}

function toItem(
  by: Dimension,
  { value, scans, visitors, estimated }: BreakdownItemData,
  chosen: string | undefined,
): BreakdownItem {
  const note = visitors === null ? undefined : formatCount(visitors, "visitor");
  return {
    ...nameValue(by, value),
    value,
    count: scans,
    note: note && estimated ? `about ${note}` : note,
    isChosen: value === chosen,
  };
}

function toRows(by: Dimension, items: readonly BreakdownItemData[]): (string | number)[][] {
  const rows = items.map(({ value, scans, visitors }) => [
    ...[value, nameValue(by, value).text, scans],
    visitors ?? "",
  ]);
  return [[by, "name", "scans", "visitors"], ...rows];
}

/** Returns the days that a breakdown covers. */
function findCountedDays(by: Dimension, range: ShownRange): { from: string; to: string } {
  return toBreakdownDays(range.days, findDay(Date.now(), range.zone), by === "traffic");
}

/** Describes the counted days if they differ from the chart's days. */
function describeDays(by: Dimension, { range }: ReportSubject, isUtc: boolean): string | null {
  const days = findCountedDays(by, range);
  if (range.isHours) return "Covers all of yesterday and today";
  const isWider = days.from !== range.days.from || days.to !== range.days.to;
  if (isWider) return `Covers ${formatDays(days)} (older data is kept by month)`;
  return isUtc ? "Days in UTC" : null;
}
