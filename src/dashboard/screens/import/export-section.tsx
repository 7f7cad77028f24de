import type { ComponentChildren } from "preact";
import { PLANS } from "../../../tenant/plans.ts";
import { Button } from "../../components/button.tsx";
import { Icon, type IconName } from "../../components/icon.tsx";
import { Progress } from "../../components/progress.tsx";
import { FaultNotice, Notice } from "../../components/states.tsx";
import { workspace } from "../../session/session.ts";
import { exportFault, exportLinks, exportRun, stopExport } from "./export-run.ts";

/** Export tab: downloads all links as CSV, and links to the exports of other screens. */
export function ExportSection() {
  return (
    <div class="export-cards">
      <LinksExport />
      <ExportCard
        icon="archive"
        title="Audit log"
        text="Who changed what in the last year, with each field before and after. Filter it first, then save what is shown."
      >
        <a class="button" href="/settings/audit">
          Go to the audit log
        </a>
      </ExportCard>
      <ExportCard
        icon="chart"
        title="Scans"
        text="Scans over time and by country, device and referrer, for any range, as the charts show them."
      >
        <a class="button" href="/analytics">
          Go to the analytics
        </a>
      </ExportCard>
      <ExportCard
        icon="qr"
        title="QR codes"
        text="Each code as SVG, PNG or PDF, in the design of one of your templates."
      >
        <a class="button" href="/qr">
          Go to the QR studio
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
      text="Every link with all of its fields, archived ones included, as CSV for spreadsheets and other services."
    >
      {exportFault.value !== null && (
        <FaultNotice fault={exportFault.value} onRetry={() => void exportLinks()} />
      )}
      {!isIncluded && (
        <Notice>
          The plan “{plan}” has no export as CSV. <a href="/settings/usage">See what it includes</a>.
        </Notice>
      )}
      {run === null ? (
        isIncluded && (
          <Button kind="primary" icon="download" onClick={() => void exportLinks()}>
            Save links as CSV
          </Button>
        )
      ) : (
        <div class="row wrap">
          <div class="grow stack tight">
            <span class="small numeric muted">
              {run.done.toLocaleString("en-GB")} of {run.total.toLocaleString("en-GB")} links
            </span>
            <Progress label="Export of links" done={run.done} total={run.total} />
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
    <section class="card export-card" aria-label={title}>
      <Icon name={icon} size={20} />
      <h2>{title}</h2>
      <p class="small muted">{text}</p>
      <div class="export-action stack tight">{children}</div>
    </section>
  );
}
