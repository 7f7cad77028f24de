import { useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import factsCss from "../../components/facts.module.css";
import { Moment } from "../../components/moment.tsx";
import { FaultNotice, Skeleton } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { usePolling } from "../../data/polling.ts";
import { useResource } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import { AttemptList } from "./attempt-list.tsx";
import { isWaiting, STATUS_LABELS } from "./delivery-health.ts";
import css from "./delivery-panel.module.css";
import { type DeliveryDetail, readDelivery, resendDelivery, showDelivery } from "./delivery-store.ts";
import type { Endpoint } from "./endpoint-store.ts";
import { listHeaders } from "./request-headers.ts";

const POLL_MS = 2_000;

interface DeliveryPanelProps {
  endpoint: Endpoint;
  deliveryId: string;
  onChange: () => void;
}

/** Panel with the details of a delivery: attempts with responses, payload and headers. */
export function DeliveryPanel({ endpoint, deliveryId, onChange }: DeliveryPanelProps) {
  const [isBusy, setBusy] = useState(false);
  const { value, fault, reload } = useResource<DeliveryDetail>(`delivery/${deliveryId}`, async () => {
    const { payload, attempts_log, ...delivery } = await readDelivery(endpoint.id, deliveryId);
    showDelivery(endpoint.id, delivery);
    return { ...delivery, payload, attempts_log };
  });
  usePolling(value !== undefined && isWaiting(value) ? POLL_MS : null, reload);
  const resend = async () => {
    setBusy(true);
    try {
      await resendDelivery(endpoint.id, deliveryId);
      showToast("Delivery resent");
      reload();
      onChange();
    } catch (thrown) {
      showToast(asFault(thrown).message);
    }
    setBusy(false);
  };
  const state = value && STATUS_LABELS[value.status];
  return (
    <Dialog
      kind="panel"
      title={value?.event_type ?? "Delivery"}
      head={state && <Badge tone={state.tone}>{state.word}</Badge>}
      onClose={() => setQuery({ delivery: null })}
      foot={
        canEdit.value &&
        value && (
          <>
            {!endpoint.enabled && (
              <span class="grow small muted">Enable the endpoint to resend this delivery.</span>
            )}
            <Button icon="send" isBusy={isBusy} isDisabled={!endpoint.enabled} onClick={() => void resend()}>
              Resend
            </Button>
          </>
        )
      }
    >
      {fault !== null && <FaultNotice fault={fault} onRetry={reload} />}
      {value === undefined ? (
        fault === null && (
          <div class="stack">
            <Skeleton width="w-5" />
            <Skeleton width="w-9" />
            <Skeleton width="w-7" />
          </div>
        )
      ) : (
        <Detail delivery={value} />
      )}
    </Dialog>
  );
}

function Detail({ delivery }: { delivery: DeliveryDetail }) {
  const { id, created_at, attempts, attempts_log, payload } = delivery;
  const headers = listHeaders(delivery);
  return (
    <div class="stack">
      <dl class={`${factsCss.facts} ${factsCss.narrow}`}>
        <div>
          <dt>Event</dt>
          <dd>
            <Moment iso={created_at} isExact />
          </dd>
        </div>
        <div>
          <dt>ID</dt>
          <dd class="row">
            <code class="one-line">{id}</code>
            <CopyButton text={id} what="delivery ID" />
          </dd>
        </div>
      </dl>
      <section class="stack tight">
        <h3>
          Attempts <span class="muted numeric">{attempts}</span>
        </h3>
        <AttemptList attempts={attempts_log} total={attempts} />
      </section>
      <section class="stack tight">
        <h3>Payload</h3>
        <CodeBlock text={JSON.stringify(payload, null, 2)} what="payload" isBounded />
      </section>
      <section class="stack tight">
        <h3>Headers</h3>
        <dl class={css.headers}>
          {headers.map(({ name, value, isVarying }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class={isVarying ? "muted" : undefined}>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}
