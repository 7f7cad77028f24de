import { navigate } from "../../address/address.ts";
import { KeyHint } from "../../components/badge.tsx";
import buttonCss from "../../components/button.module.css";
import { Icon } from "../../components/icon.tsx";
import screenCss from "../../components/screen.module.css";
import { EmptyState } from "../../components/states.tsx";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { refreshReports, useRefreshOnReturn, useScanSeries } from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { BROWSER_ZONE } from "../../reports/report-state.ts";
import { readScanFilters } from "../../reports/scan-filters.ts";
import { sumScans } from "../../reports/scan-series.ts";
import { readRange } from "../../reports/shown-range.ts";
import { canEdit } from "../../session/session.ts";
import { AttentionList } from "./attention-list.tsx";
import { isNewWorkspace, listSteps, type StepCounts } from "./first-steps.ts";
import { FirstSteps } from "./first-steps-list.tsx";
import overviewCss from "./overview.module.css";
import { PasskeyOffer } from "./passkey-offer.tsx";
import { collectAttention, useCheckedItems, useNewestLinks, useUsage } from "./read-overview.ts";
import { RecentLinks } from "./recent-links.tsx";
import { ScanSummary } from "./scan-summary.tsx";
import { TopLinks } from "./top-links.tsx";
import { UsageCard } from "./usage-card.tsx";

/** Overview screen: recent scans, what needs attention, top and recent links, and usage. */
export default function OverviewScreen() {
  const range = readRange("", { nowMs: Date.now(), zone: BROWSER_ZONE, isFiltered: false });
  const series = useScanSeries({ range, filters: readScanFilters("") });
  const usage = useUsage();
  const links = useNewestLinks();
  const items = useCheckedItems();
  useRefreshOnReturn();
  useShortcuts([
    { keys: "c", label: "Create link", run: () => canEdit.peek() && navigate("/links?link=new") },
    { keys: "r", label: "Refresh", run: refreshReports },
  ]);
  const counts = usage.value &&
    series.value && {
      links: usage.value.usage.total_links,
      scans: sumScans(series.value.points) + sumScans(series.value.before ?? []),
      templates: usage.value.usage.total_qr_templates,
      pages: usage.value.usage.total_bio_pages,
      domains: items.value?.domains.filter(({ status }) => status === "active").length ?? 0,
    };
  const isNew = counts !== undefined && isNewWorkspace(counts);
  const isKnown = [series, usage, links, items].every(
    ({ value, fault }) => value !== undefined || fault !== null,
  );
  return (
    <div class={`${screenCss.screen} ${overviewCss.overview}`} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Overview</h1>
        {canEdit.value && (
          <a
            class={`${buttonCss.button} ${buttonCss.primary}`}
            data-ui="button"
            href="/links?link=new"
            aria-keyshortcuts="c"
          >
            <Icon name="plus" />
            Create link
            <KeyHint keys="c" />
          </a>
        )}
      </div>
      <PasskeyOffer />
      <div class={overviewCss.top}>
        {isNew ? <Beginning counts={counts} /> : <ScanSummary series={series} range={range} />}
        <AttentionList
          items={isKnown && items.value ? collectAttention(items.value, links.value, usage.value) : undefined}
        />
      </div>
      {/* Hidden while calls are running: the cards above may still grow and would push these cards down. */}
      <div class={reportCss.grid} data-ui="report-grid" hidden={!isKnown}>
        {!isNew && <TopLinks range={range} />}
        {links.value?.length !== 0 && <RecentLinks links={links} />}
        <UsageCard usage={usage} />
      </div>
    </div>
  );
}

/** Shown instead of the scan summary while the workspace is new. */
function Beginning({ counts }: { counts: StepCounts }) {
  if (canEdit.value) return <FirstSteps steps={listSteps(counts)} />;
  return (
    <section class={reportCss.card} aria-label="Get started">
      <EmptyState title="No activity yet">When an editor creates links, their scans appear here.</EmptyState>
    </section>
  );
}
