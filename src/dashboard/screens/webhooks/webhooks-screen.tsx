import { navigate, query, setQuery } from "../../address/address.ts";
import { Badge, KeyHint } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import { Moment } from "../../components/moment.tsx";
import rowNameCss from "../../components/row-name.module.css";
import screenCss from "../../components/screen.module.css";
import { EmptyState, FaultNotice } from "../../components/states.tsx";
import { usePagedList } from "../../data/resources.ts";
import { useShortcuts } from "../../keyboard/shortcuts.ts";
import { canEdit } from "../../session/session.ts";
import { getHost, judgeEndpoint } from "./delivery-health.ts";
import { EndpointPanel } from "./endpoint-panel.tsx";
import { ENDPOINTS_KEY, type EndpointList, readEndpoints } from "./endpoint-store.ts";
import { describeEvents } from "./event-catalog.ts";
import { HealthMarks } from "./health-marks.tsx";
import css from "./webhooks-screen.module.css";

/** Webhooks screen: a list of the endpoints with their status and last deliveries. */
export default function WebhooksScreen() {
  const list = usePagedList<EndpointList>(ENDPOINTS_KEY, readEndpoints);
  const known = list.value;
  const isCreating = canEdit.value && new URLSearchParams(query.value).get("panel") === "new";
  const create = () => canEdit.peek() && setQuery({ panel: "new" }, { push: true });
  useShortcuts([{ keys: "c", label: "Add endpoint", run: create }]);
  return (
    <div class={screenCss.screen} data-ui="screen">
      <div class={screenCss.head} data-ui="screen-head">
        <div>
          <h1>Webhooks</h1>
          <p class="small">Notify your systems of events with signed requests.</p>
        </div>
        {canEdit.value && (
          <Button kind="primary" icon="plus" onClick={create} aria-keyshortcuts="c">
            Add endpoint
            <KeyHint keys="c" />
          </Button>
        )}
      </div>
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {known?.items.length === 0 ? (
        <NoEndpoints onCreate={create} />
      ) : (
        (known !== undefined || list.fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="Endpoints"
              columns={COLUMNS}
              rows={known?.items}
              getKey={({ id }) => id}
              getName={({ url }) => url}
              isDimmed={({ enabled }) => !enabled}
              onOpen={({ id }) => navigate(`/webhooks/${id}`)}
            />
            <div class={dataTableCss.foot}>
              <ListFoot list={list} noun="endpoint" />
            </div>
          </div>
        )
      )}
      {isCreating && <EndpointPanel endpoint={null} />}
    </div>
  );
}

type Row = EndpointList["items"][number];

const COLUMNS: Column<Row>[] = [
  {
    name: "endpoint",
    header: "Endpoint",
    layout: "grow fill",
    cell: (endpoint) => <Name endpoint={endpoint} />,
  },
  { name: "state", header: "Status", layout: "fit", cell: renderStatus },
  {
    name: "health",
    header: "Recent deliveries",
    layout: "fit more bare",
    cell: ({ recent_statuses }) => <HealthMarks statuses={recent_statuses} />,
  },
  {
    name: "created",
    header: "Added",
    layout: "fit end more numeric created",
    cell: ({ created_at }) => <Moment iso={created_at} />,
  },
];

function Name({ endpoint: { id, url, description, events } }: { endpoint: Row }) {
  return (
    <div class={rowNameCss.linkName}>
      <a class={`${rowNameCss.linkCode} ${css.rowLink}`} data-ui="link-code" href={`/webhooks/${id}`}>
        <span class="one-line">{description || getHost(url)}</span>
      </a>
      <span class="one-line small muted">{url}</span>
      <span class="one-line small muted">{describeEvents(events)}</span>
    </div>
  );
}

function renderStatus(endpoint: Row) {
  const { word, tone } = judgeEndpoint(endpoint, endpoint.recent_statuses);
  return <Badge tone={tone}>{word}</Badge>;
}

function NoEndpoints({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      title="Get notified of events"
      actions={
        canEdit.value && (
          <Button kind="primary" icon="plus" onClick={onCreate}>
            Add endpoint
          </Button>
        )
      }
    >
      Add a URL that receives scans, new links, published pages and other events within seconds. You can see
      every delivery here.
      {!canEdit.value && " Ask an editor or owner of this workspace to add one."}
    </EmptyState>
  );
}
