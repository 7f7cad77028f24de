import { useState } from "preact/hooks";
import { query } from "../../address/address.ts";
import type { RouteParameters } from "../../address/route-match.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import factsCss from "../../components/facts.module.css";
import { Icon } from "../../components/icon.tsx";
import { Moment } from "../../components/moment.tsx";
import screenCss from "../../components/screen.module.css";
import sectionCss from "../../components/section.module.css";
import { EmptyState, FaultNotice, Skeleton } from "../../components/states.tsx";
import { asFault } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import { DeliveriesSection } from "./deliveries-section.tsx";
import { getHost, judgeEndpoint } from "./delivery-health.ts";
import { DeliveryPanel } from "./delivery-panel.tsx";
import { readStatuses } from "./delivery-store.ts";
import { DeleteEndpointDialog, RotateSecretDialog } from "./endpoint-dialogs.tsx";
import { EndpointMenu } from "./endpoint-menu.tsx";
import { EndpointNotices } from "./endpoint-notices.tsx";
import { EndpointPanel } from "./endpoint-panel.tsx";
import css from "./endpoint-screen.module.css";
import { type Endpoint, formatEndpointKey, readEndpoint } from "./endpoint-store.ts";
import { describeEvents } from "./event-catalog.ts";
import { HealthMarks } from "./health-marks.tsx";
import { TestRun } from "./test-run.tsx";
import { Verification } from "./verification.tsx";

/** Screen of one endpoint: status, settings, deliveries, and code to verify them. */
export default function EndpointScreen({ parameters }: { parameters: RouteParameters }) {
  const id = parameters.endpoint_id ?? "";
  const { value, fault, reload } = useResource<Endpoint>(formatEndpointKey(id), () => readEndpoint(id));
  if (value !== undefined) return <EndpointView key={id} endpoint={value} />;
  const isMissing = fault !== null && ["missing", "invalid"].includes(asFault(fault).kind);
  return (
    <div class={screenCss.screen} data-ui="screen" aria-busy={fault === null ? "true" : undefined}>
      <BackLink />
      <div class={screenCss.head} data-ui="screen-head">
        <h1>Endpoint</h1>
      </div>
      {isMissing && (
        <EmptyState title="Endpoint not found" actions={<a href="/webhooks">View all endpoints</a>}>
          It may have been deleted.
        </EmptyState>
      )}
      {fault !== null && !isMissing && <FaultNotice fault={fault} onRetry={reload} />}
      {fault === null && <Skeleton width="w-5" />}
    </div>
  );
}

type Dialog = "rotate" | "delete" | null;

function EndpointView({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, description, events, created_at } = endpoint;
  const [dialog, setDialog] = useState<Dialog>(null);
  const [testNumber, setTestNumber] = useState(0);
  // A change of this number reloads the deliveries.
  const [revision, setRevision] = useState(0);
  const marks = useResource(`marks/${id}`, () => readStatuses(id));
  const refresh = () => {
    setRevision((before) => before + 1);
    marks.reload();
  };
  const parameters = new URLSearchParams(query.value);
  const openedId = parameters.get("delivery");
  const { word, tone } = judgeEndpoint(endpoint, marks.value);
  return (
    <div class={screenCss.screen} data-ui="screen">
      <BackLink />
      <div class={screenCss.head} data-ui="screen-head">
        <div class="stack tight">
          <span class="row wrap">
            <h1>{description || getHost(url)}</h1>
            <Badge tone={tone}>{word}</Badge>
          </span>
          <span class="row small muted">
            <span class="one-line">{url}</span>
            <CopyButton text={url} what="endpoint URL" />
          </span>
        </div>
        {canEdit.value && (
          <span class="row">
            <Button
              kind={endpoint.enabled ? "primary" : "normal"}
              icon="send"
              isDisabled={!endpoint.enabled}
              onClick={() => setTestNumber(testNumber + 1)}
            >
              Send test
            </Button>
            <EndpointMenu endpoint={endpoint} onDialog={setDialog} />
          </span>
        )}
      </div>
      <EndpointNotices endpoint={endpoint} />
      {testNumber > 0 && (
        <TestRun
          key={testNumber}
          webhookId={id}
          onChange={refresh}
          onClose={() => setTestNumber(0)}
          onAgain={() => setTestNumber(testNumber + 1)}
        />
      )}
      <dl class={factsCss.facts}>
        <div>
          <dt>Recent deliveries</dt>
          <dd>
            <HealthMarks statuses={marks.value} />
          </dd>
        </div>
        <div>
          <dt>Events</dt>
          <dd>{describeEvents(events)}</dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>
            <Moment iso={created_at} />
          </dd>
        </div>
        <div>
          <dt>ID</dt>
          <dd class="row">
            <code class="one-line">{id}</code>
            <CopyButton text={id} what="endpoint ID" />
          </dd>
        </div>
      </dl>
      <DeliveriesSection endpoint={endpoint} revision={revision} onChange={marks.reload} />
      <details class={sectionCss.section} open={parameters.has("language")}>
        <summary>
          <Icon name="chevron" size={16} />
          Verify signatures
        </summary>
        <Verification />
      </details>
      {canEdit.value && parameters.get("panel") === "edit" && <EndpointPanel endpoint={endpoint} />}
      {openedId !== null && (
        <DeliveryPanel key={openedId} endpoint={endpoint} deliveryId={openedId} onChange={refresh} />
      )}
      {dialog === "rotate" && <RotateSecretDialog endpoint={endpoint} onClose={() => setDialog(null)} />}
      {dialog === "delete" && <DeleteEndpointDialog endpoint={endpoint} onClose={() => setDialog(null)} />}
    </div>
  );
}

function BackLink() {
  return (
    <a class={`small ${css.back}`} href="/webhooks">
      <Icon name="chevron" size={15} />
      Webhooks
    </a>
  );
}
