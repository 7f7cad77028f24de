import { useEffect, useState } from "preact/hooks";
import { query, setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import dataTableCss from "../../components/data-table.module.css";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ListFoot } from "../../components/list-foot.tsx";
import { Moment } from "../../components/moment.tsx";
import rowNameCss from "../../components/row-name.module.css";
import { EmptyState, FaultNotice } from "../../components/states.tsx";
import { usePolling } from "../../data/polling.ts";
import { resources, usePagedList } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import { DeliveriesToolbar } from "./deliveries-toolbar.tsx";
import { isFiltered, readFilters, toDeliveryQuery } from "./delivery-filters.ts";
import { isWaiting, STATUS_LABELS } from "./delivery-health.ts";
import {
  type Delivery,
  type DeliveryPage,
  formatListKey,
  readDeliveries,
  refreshDeliveries,
} from "./delivery-store.ts";
import type { Endpoint } from "./endpoint-store.ts";
import { ResendBar } from "./resend-bar.tsx";

const POLL_MS = 4_000;

interface DeliveriesSectionProps {
  endpoint: Endpoint;
  /** A change of this number reloads the newest deliveries. */
  revision: number;
  /** Called when deliveries change. */
  onChange: () => void;
}

/** Deliveries of an endpoint, with filters and resending. Refreshes while deliveries are pending. */
export function DeliveriesSection({ endpoint, revision, onChange }: DeliveriesSectionProps) {
  const { id, enabled } = endpoint;
  const filters = readFilters(query.value);
  const deliveryQuery = toDeliveryQuery(filters);
  const key = formatListKey(id, deliveryQuery);
  const list = usePagedList<DeliveryPage>(key, (before) => readDeliveries(id, deliveryQuery, before));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const page = list.value;
  useEffect(() => setChosen(new Set()), [key]);
  const refresh = () => {
    if (page === undefined || list.isLoading) return;
    void resources.read(key, () => refreshDeliveries(id, deliveryQuery, page)).then(onChange);
  };
  useEffect(() => {
    if (revision > 0) refresh();
  }, [revision]);
  usePolling(page?.items.some(isWaiting) ? POLL_MS : null, refresh);

  const isEmpty = page !== undefined && page.items.length === 0 && page.nextBefore === null;
  return (
    <section class="stack" aria-labelledby="deliveries">
      <div class="row">
        <h2 id="deliveries">Deliveries</h2>
        <span class="push">
          <Button size="s" kind="plain" icon="refresh" isBusy={list.isLoading} onClick={refresh}>
            Refresh
          </Button>
        </span>
      </div>
      <DeliveriesToolbar filters={filters} />
      {list.fault !== null && <FaultNotice fault={list.fault} onRetry={list.reload} />}
      {isEmpty ? (
        <NoDeliveries isFiltered={isFiltered(filters)} />
      ) : (
        (page !== undefined || list.fault === null) && (
          <div class={dataTableCss.frame}>
            <DataTable
              label="Deliveries"
              columns={COLUMNS}
              rows={page?.items}
              getKey={(delivery) => delivery.id}
              getName={({ event_type, created_at }) => `${event_type} at ${created_at}`}
              onOpen={(delivery) => open(delivery.id)}
              selection={canEdit.value && enabled ? { chosen, onChange: setChosen } : undefined}
            />
            <div class={dataTableCss.foot}>
              <ListFoot list={list} noun="delivery" plural="deliveries" />
            </div>
          </div>
        )
      )}
      {chosen.size > 0 && page && (
        <ResendBar
          webhookId={id}
          deliveries={page.items.filter((delivery) => chosen.has(delivery.id))}
          onDone={() => {
            setChosen(new Set());
            onChange();
          }}
        />
      )}
    </section>
  );
}

function open(id: string): void {
  setQuery({ delivery: id }, { push: true });
}

const COLUMNS: Column<Delivery>[] = [
  {
    name: "event",
    header: "Event",
    layout: "grow fill",
    cell: ({ id, event_type }) => (
      <button type="button" class={rowNameCss.linkCode} data-ui="link-code" onClick={() => open(id)}>
        <code>{event_type}</code>
      </button>
    ),
  },
  {
    name: "state",
    header: "Status",
    layout: "fit",
    cell: ({ status }) => <Badge tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].word}</Badge>,
  },
  {
    name: "answer",
    header: "Response",
    layout: "fit end more numeric",
    cell: ({ response_status, attempts }) => response_status ?? (attempts === 0 ? "–" : "none"),
  },
  {
    name: "attempts",
    header: "Attempts",
    layout: "fit end more numeric",
    cell: ({ attempts }) => attempts.toLocaleString("en-GB"),
  },
  {
    name: "created",
    header: "Time",
    layout: "fit end more numeric bare",
    cell: ({ created_at }) => <Moment iso={created_at} />,
  },
];

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <EmptyState title="No deliveries yet">
        Use “Send test” to create the first one. Scan deliveries are kept for 7 days, all others for 30 days.
      </EmptyState>
    );
  }
  const clear = () => setQuery({ state: null, event: null, from: null, to: null });
  return (
    <EmptyState
      title="No deliveries match your filters"
      actions={<Button onClick={clear}>Clear filters</Button>}
    >
      Scan deliveries are kept for 7 days, all others for 30 days.
    </EmptyState>
  );
}
