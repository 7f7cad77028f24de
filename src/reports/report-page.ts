// Pure: no I/O, clock or randomness.
import { isRightToLeft } from "../pages/page-language.ts";
import { COLOURS_CSS, escapeHtml, type HtmlDocument } from "../pages/plate.ts";
import { SIGNPOST_MARK } from "../pages/signpost-art.ts";
import { renderBar, renderChart } from "./report-chart.ts";
import { REPORT_CSS } from "./report-style.ts";
import { getReportTexts, type ReportTexts } from "./report-texts.ts";
import type { Days, RankedLink, ReportBreakdown, ReportData, ReportDimension } from "./report-view.ts";

/** Report as a page shows it. */
export interface ShownReport {
  title: string;
  data: ReportData;
  /** Time of the numbers in Unix milliseconds. */
  nowMs: number;
  /** Returns the short URL of a link without its scheme. */
  formatUrl(link: RankedLink): string;
}

/** Names of products, which are the same in all languages. */
const PRODUCTS: Readonly<Record<string, string>> = {
  ...{ ios: "iOS", android: "Android", windows: "Windows", macos: "macOS", linux: "Linux" },
  ...{ chromeos: "ChromeOS", chrome: "Chrome", safari: "Safari", firefox: "Firefox", edge: "Edge" },
  ...{ opera: "Opera", samsung: "Samsung Internet" },
};

/** Renders a report in the language of a BCP 47 tag. The page works without scripts and on paper. */
export function renderReport({ title, data, nowMs, formatUrl }: ShownReport, tag: string): HtmlDocument {
  const texts = getReportTexts(tag);
  const formats = createFormats(tag);
  const { count, formatDays } = formats;
  const about = texts.about.replace("{time}", () => formats.time(nowMs));
  const body = `<header>
<h1><bdi>${escapeHtml(title)}</bdi></h1>
<p>${escapeHtml(formatDays(data))}</p>
</header>
<dl class="totals">
<div><dt>${texts.scans}</dt><dd>${count(data.total)}</dd></div>
<div><dt>${texts.average}</dt><dd>${count(Math.round((data.total / data.dayCount) * 10) / 10)}</dd></div>
<div><dt>${texts.best}</dt><dd>${data.best === null ? "–" : `${count(data.best.scans)} <bdi>${formats.day(data.best.date)}</bdi>`}</dd></div>
</dl>
${renderScans(data, texts, formats)}
${renderLinks(data, texts, formats, formatUrl)}
${renderBreakdowns(data, texts, tag, formats)}
<footer>
<p>${escapeHtml(about)}</p>
<p class="made"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="${SIGNPOST_MARK}"/></svg> Signpost</p>
</footer>`;
  const css = COLOURS_CSS + REPORT_CSS;
  const html = `<!doctype html>
<html lang="${tag}"${isRightToLeft(tag) ? ' dir="rtl"' : ""}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return { html, css, language: tag };
}

/** Functions that format numbers and dates in a language. */
interface Formats {
  count(value: number): string;
  day(date: string): string;
  formatDays(days: Days): string;
  time(timeMs: number): string;
}

function createFormats(tag: string): Formats {
  const numbers = new Intl.NumberFormat(tag);
  const days = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" });
  const times = new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return {
    count: (value) => numbers.format(value),
    day: (date) => days.format(Date.parse(date)),
    formatDays: ({ fromDate, toDate }) => days.formatRange(Date.parse(fromDate), Date.parse(toDate)),
    time: (timeMs) => times.format(timeMs),
  };
}

function renderScans(data: ReportData, texts: ReportTexts, formats: Formats): string {
  const title = texts.chart[data.interval];
  const points = data.points.map(({ date, scans }) => ({
    label: `${formats.day(date)}: ${formats.count(scans)}`,
    scans,
  }));
  const rows = data.points.map(
    ({ date, scans }) => `<tr><th scope="row">${formats.day(date)}</th><td>${formats.count(scans)}</td></tr>`,
  );
  const dates = [0, 0.5, 1].map(
    (part) => data.points[Math.round(part * (data.points.length - 1))]?.date ?? "",
  );
  const marks = [...new Set(dates)].map(formats.day);
  return `<section>
<h2>${title}</h2>
${renderChart(points, { title: `${title}: ${formats.count(data.total)}`, marks, format: formats.count })}
<details><summary>${texts.numbers}</summary>
<table><thead><tr><th scope="col">${texts.date}</th><th scope="col">${texts.scans}</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>
</details>
</section>`;
}

function renderLinks(
  { links, linkCount }: ReportData,
  texts: ReportTexts,
  formats: Formats,
  formatUrl: ShownReport["formatUrl"],
): string {
  const most = links[0]?.scans ?? 0;
  const rows = links.map((link) => {
    const url = `<bdi class="url">${escapeHtml(formatUrl(link))}</bdi>`;
    const name = link.title === null ? url : `<bdi>${escapeHtml(link.title)}</bdi> ${url}`;
    return `<tr><th scope="row">${name}</th><td>${formats.count(link.scans)}</td><td class="share">${renderBar(link.scans, most)}</td></tr>`;
  });
  const more = linkCount - links.length;
  const rest = more > 0 ? `\n<p>${texts.more.replace("{count}", () => formats.count(more))}</p>` : "";
  return `<section>
<h2>${texts.links}</h2>
<table class="ranking"><thead><tr><th scope="col"><span class="hidden">${texts.links}</span></th><th scope="col">${texts.scans}</th><td class="share"></td></tr></thead>
<tbody>${rows.join("\n")}</tbody></table>${rest}
</section>`;
}

function renderBreakdowns(
  { breakdowns, breakdownDays }: ReportData,
  texts: ReportTexts,
  tag: string,
  formats: Formats,
): string {
  if (breakdowns === null) return `<p class="note">${texts.unavailable}</p>`;
  const only =
    breakdownDays === null
      ? ""
      : `<p class="note">${escapeHtml(texts.only.replace("{days}", () => formats.formatDays(breakdownDays)))}</p>\n`;
  const parts = breakdowns.map((breakdown) => renderBreakdown(breakdown, texts, tag, formats));
  return `${only}<div class="breakdowns">\n${parts.join("\n")}\n</div>`;
}

function renderBreakdown(
  { dimension, items }: ReportBreakdown,
  texts: ReportTexts,
  tag: string,
  { count }: Formats,
): string {
  const most = Math.max(...items.map(({ scans }) => scans), 0);
  const rows = items.map(({ value, scans }) => {
    const name = escapeHtml(nameValue(dimension, value, texts, tag));
    return `<li><span class="name"><bdi>${name}</bdi></span> <span class="count">${count(scans)}</span>${renderBar(scans, most)}</li>`;
  });
  const list = rows.length === 0 ? `<p>${texts.none}</p>` : `<ol>${rows.join("\n")}</ol>`;
  return `<section><h2>${texts.breakdowns[dimension]}</h2>${list}</section>`;
}

/** Returns the display name of a value. Referrers are hosts, which are shown as they are. */
function nameValue(dimension: ReportDimension, value: string, texts: ReportTexts, tag: string): string {
  const label = Object.hasOwn(texts.values, value) ? texts.values[value as "other"] : undefined;
  if (dimension === "referrer") return value === "direct" || value === "other" ? (label ?? value) : value;
  if (label !== undefined) return label;
  if (dimension === "os" || dimension === "browser") return PRODUCTS[value] ?? value;
  if (dimension !== "country" && dimension !== "language") return value;
  try {
    const type = dimension === "country" ? "region" : "language";
    return new Intl.DisplayNames([tag], { type }).of(value) ?? value;
  } catch {
    // Codes that aren't in the standard are shown unchanged.
    return value;
  }
}
