import { useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import { Moment } from "../../components/moment.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { EmptyState, FaultNotice } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import type { CountedList } from "../../data/paged-list.ts";
import { usePagedList } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import {
  REPORTS_KEY,
  readReports,
  revokeReport,
  type SharedReport,
} from "../../shared-reports/report-store.ts";
import { shareLabel } from "../../shared-reports/sharing.ts";
import { SectionHead } from "./setting.tsx";

/** Shared reports section: lists reports with their URLs, creates them for a label, and revokes them. */
export function ReportsSection() {
  const list = usePagedList<CountedList<SharedReport>>(REPORTS_KEY, readReports);
  const [revoked, setRevoked] = useState<SharedReport | null>(null);
  const { value, fault } = list;
  return (
    <section class="stack">
      <SectionHead
        title="Shared reports"
        text="Pages that show the scans of some links to everyone who has the URL. Share a report from a link, a selection of links, or a label."
        action={
          canEdit.value && (
            <Button kind="primary" icon="plus" onClick={() => shareLabel("")}>
              Share label
            </Button>
          )
        }
      />
      {fault !== null && <FaultNotice fault={fault} onRetry={list.reload} />}
      {value?.items.length === 0 ? (
        <EmptyState title="No shared reports yet">
          Choose “Share report” in the menu of a link or of a selection to show its scans to someone outside.
        </EmptyState>
      ) : (
        (value !== undefined || fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="Shared reports"
              columns={buildColumns(setRevoked)}
              rows={value?.items}
              getKey={({ id }) => id}
              getName={({ title }) => title}
              isDimmed={isExpired}
            />
            <div class={dataTableCss.foot}>
              <ListFoot list={list} noun="report" />
            </div>
          </div>
        )
      )}
      {revoked && (
        <ConfirmDialog
          title={`Revoke ${revoked.title}?`}
          confirm="Revoke report"
          onConfirm={async () => {
            await revokeReport(revoked.id);
            setRevoked(null);
            showToast(`${revoked.title} revoked`);
          }}
          onClose={() => setRevoked(null)}
        >
          <p class="small">Its URL stops working immediately. This can't be undone.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function isExpired({ expires_at }: SharedReport): boolean {
  return expires_at !== null && Date.parse(expires_at) <= Date.now();
}

function buildColumns(onRevoke: (report: SharedReport) => void): Column<SharedReport>[] {
  return [
    { name: "title", header: "Report", layout: "grow fill", cell: (report) => <Name report={report} /> },
    {
      name: "expires",
      header: "Expires",
      layout: "fit more numeric",
      cell: (report) => {
        if (report.expires_at === null) return "never";
        return isExpired(report) ? <Badge tone="plain">Expired</Badge> : <Moment iso={report.expires_at} />;
      },
    },
    {
      name: "actions",
      header: "Actions",
      isHeaderHidden: true,
      layout: "fit end",
      cell: (report) => (
        <span class="row">
          {report.url !== null && !isExpired(report) && (
            <CopyButton text={report.url} what={`URL of ${report.title}`} />
          )}
          {canEdit.value && (
            <Button size="s" aria-label={`Revoke ${report.title}`} onClick={() => onRevoke(report)}>
              Revoke
            </Button>
          )}
        </span>
      ),
    },
  ];
}

function Name({ report: { title, url, label, links, range, has_password } }: { report: SharedReport }) {
  const subject = label === null ? formatCount(links?.length ?? 0, "link") : `label ${label}`;
  const period =
    range.days === undefined
      ? `${range.from_date} to ${range.to_date}`
      : `last ${formatCount(range.days, "day")}`;
  return (
    <span class={rowNameCss.linkName}>
      {url === null ? (
        <b class="one-line">{title}</b>
      ) : (
        <a class="one-line" href={url} target="_blank" rel="noopener">
          {title}
        </a>
      )}
      <span class="one-line small muted">
        {subject} · {period}
        {has_password && " · with a password"}
      </span>
    </span>
  );
}
