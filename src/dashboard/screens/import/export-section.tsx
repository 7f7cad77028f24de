import type { ComponentChildren } from "preact";
import { formatCount } from "../../../core/format-count.ts";
import { PLANS } from "../../../tenant/plans.ts";
import buttonCss from "../../components/button.module.css";
import { Button } from "../../components/button.tsx";
import cardCss from "../../components/card.module.css";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Progress } from "../../components/progress.tsx";
import { FaultNotice, Notice } from "../../components/states.tsx";
import { workspace } from "../../session/session.ts";
import { exportFault, exportLinks, exportRun, stopExport } from "./export-run.ts";
import css from "./export-section.module.css";

/** Export tab: downloads all links as CSV, and links to the exports of other screens. */
export function ExportSection() {
  return (
    <div class={css.cards}>
      <LinksExport />
      <ExportCard
        icon="archive"
        title="Audit log"
        text="Every change in the past year, with old and new values. Filter the log first, then export the results."
      >
        <a class={buttonCss.button} data-ui="button" href="/settings/audit">
          Open audit log
        </a>
      </ExportCard>
      <ExportCard
        icon="chart"
        title="Scans"
        text="Scans over time and by country, device and referrer, for any date range."
      >
        <a class={buttonCss.button} data-ui="button" href="/analytics">
          Open analytics
        </a>
      </ExportCard>
      <ExportCard
        icon="qr"
        title="QR codes"
        text="Any QR code as SVG, PNG or PDF, styled with one of your templates."
      >
        <a class={buttonCss.button} data-ui="button" href="/qr">
          Open QR studio
        </a>
      </ExportCard>
    </div>
  );
}

function LinksExport() {
  const run = exportRun.value;
  const plan = workspace.value?.plan ?? "free";
  const isIncluded = PLANS[plan].csvExport;
  return (
    <ExportCard
      icon="link"
      title="All links"
      text="All links with every field, including archived links, as a CSV file."
    >
      {exportFault.value !== null && (
        <FaultNotice fault={exportFault.value} onRetry={() => void exportLinks()} />
      )}
      {!isIncluded && (
        <Notice>
          CSV export isn't included in your plan ({plan}). <a href="/settings/usage">View plan</a>.
        </Notice>
      )}
      {run === null ? (
        isIncluded && (
          <Button kind="primary" icon="download" onClick={() => void exportLinks()}>
            Export links as CSV
          </Button>
        )
      ) : (
        <div class="row wrap">
          <div class="grow stack tight">
            <span class="small numeric muted">
              {run.done.toLocaleString("en-GB")} of {formatCount(run.total, "link")}
            </span>
            <Progress label="Exporting links" done={run.done} total={run.total} />
          </div>
          <Button onClick={stopExport}>Stop</Button>
        </div>
      )}
    </ExportCard>
  );
}

interface ExportCardProps {
  icon: IconName;
  title: string;
  text: string;
  children: ComponentChildren;
}

function ExportCard({ icon, title, text, children }: ExportCardProps) {
  return (
    <section class={`${cardCss.card} ${css.card}`} aria-label={title}>
      <Icon name={icon} size={20} />
      <h2>{title}</h2>
      <p class="small muted">{text}</p>
      <div class={`stack tight ${css.action}`}>{children}</div>
    </section>
  );
}
