import { navigate } from "../../address/address.ts";
import type { RouteParameters } from "../../address/route-match.ts";
import buttonCss from "../../components/button.module.css";
import screenCss from "../../components/screen.module.css";
import { EmptyState, FaultNotice, Skeleton } from "../../components/states.tsx";
import { api, asFault, callApi } from "../../data/calls.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { FirstScan } from "../../reports/first-scan.tsx";
import { refreshReports, useKeptResource, useRefreshOnReturn } from "../../reports/read-scans.ts";
import reportCss from "../../reports/report.module.css";
import { canEdit } from "../../session/session.ts";
import { LinkHead } from "./link-detail-head.tsx";
import { LinkReport } from "./link-report.tsx";

/** Screen of a single link: its details, its analytics and its QR code. */
export default function LinkScreen({ parameters }: { parameters: RouteParameters }) {
  const id = parameters.link_id ?? "";
  // The key mounts a new component for each link, so that no data of the previous link is shown.
  return <LinkContent key={id} id={id} />;
}

function LinkContent({ id }: { id: string }) {
  const {
    value: link,
    fault,
    reload,
  } = useKeptResource(`link ${id}`, async () => {
    const { data } = await callApi(api.GET("/v1/links/{link_id}", { params: { path: { link_id: id } } }));
    return data;
  });
  useRefreshOnReturn();
  useShortcuts([
    { keys: "e", label: "Edit link", run: () => canEdit.peek() && navigate(`/links?link=${id}`) },
    { keys: "r", label: "Refresh", run: refreshReports },
  ]);
  if (fault !== null && asFault(fault).kind === "missing") return <MissingLink />;
  if (link === undefined) {
    return (
      <div class={screenCss.screen} data-ui="screen" aria-busy={fault === null}>
        <div class={screenCss.head} data-ui="screen-head">
          <h1>Link</h1>
        </div>
        {fault === null ? <WaitingHead /> : <FaultNotice fault={fault} onRetry={reload} />}
      </div>
    );
  }
  return (
    <div class={screenCss.screen} data-ui="screen">
      <LinkHead link={link} onRenamed={reload} />
      {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
      {link.scan_count === 0 ? <FirstScan link={link} /> : <LinkReport link={link} />}
    </div>
  );
}

function WaitingHead() {
  return (
    <div class={`${reportCss.card} ${reportCss.waiting}`}>
      <Skeleton width="w-5" />
      <Skeleton width="w-7" />
    </div>
  );
}

function MissingLink() {
  return (
    <div class={screenCss.screen} data-ui="screen">
      <h1>Link</h1>
      <EmptyState
        title="Link not found"
        actions={
          <a class={`${buttonCss.button} ${buttonCss.primary}`} data-ui="button" href="/links">
            View all links
          </a>
        }
      >
        It may have been deleted, or it belongs to another workspace.
      </EmptyState>
    </div>
  );
}
