import { formatCount } from "../../../core/format-count.ts";
import { Button } from "../../components/button.tsx";
import { Moment } from "../../components/moment.tsx";
import { Notice } from "../../components/states.tsx";
import { api, callApi } from "../../data/calls.ts";
import { useResource } from "../../data/resources.ts";
import { canEdit } from "../../session/session.ts";
import { type Endpoint, setEndpointEnabled } from "./endpoint-store.ts";

/** Explains why an endpoint receives no events, or missed some, and what to do about it. */
export function EndpointNotices({ endpoint }: { endpoint: Endpoint }) {
  const { enabled, disabled_at, skipped_count, skipped_at } = endpoint;
  return (
    <>
      {!enabled && (disabled_at === null ? <Paused endpoint={endpoint} /> : <Failed endpoint={endpoint} />)}
      {skipped_count > 0 && skipped_at !== null && (
        <Notice tone="warn">
          {formatCount(skipped_count, "event wasn't", "events weren't")} delivered, most recently{" "}
          <Moment iso={skipped_at} />, because this workspace reached its plan's limit for pending deliveries.
          Skipped scans are still counted in analytics.
        </Notice>
      )}
    </>
  );
}

function EnableButton({ id }: Endpoint) {
  if (!canEdit.value) return null;
  return (
    <Button size="s" icon="play" onClick={() => void setEndpointEnabled(id, true)}>
      Enable
    </Button>
  );
}

function Failed({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Notice tone="danger" action={<EnableButton {...endpoint} />}>
      <p>
        <b>
          Signpost disabled this endpoint <Moment iso={endpoint.disabled_at ?? ""} />
        </b>
        , after 100 consecutive failed attempts. Pending deliveries were marked as failed.
      </p>
      <p>
        Check the recent failures below, fix your endpoint, and enable it again. Then send a test and resend
        missed deliveries: filter by “Failed” and select them.
      </p>
    </Notice>
  );
}

/** Notice about an endpoint that a person disabled. The audit log provides the name. */
function Paused({ endpoint }: { endpoint: Endpoint }) {
  const { value } = useResource(`disabled/${endpoint.id}/${endpoint.updated_at}`, async () => {
    const query = { resource: endpoint.id, operation: "updateWebhook", limit: 20 };
    const { data } = await callApi(api.GET("/v1/audit", { params: { query } }));
    return data.find(({ changes }) => changes.enabled?.[1] === false) ?? null;
  });
  return (
    <Notice action={<EnableButton {...endpoint} />}>
      {value ? (
        <>
          {value.actor.name} disabled this endpoint <Moment iso={value.at} />.
        </>
      ) : (
        "This endpoint is disabled."
      )}{" "}
      It doesn't receive events. Events that occur while it's disabled aren't delivered later.
    </Notice>
  );
}
