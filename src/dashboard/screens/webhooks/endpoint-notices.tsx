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
          {skipped_count.toLocaleString("en-GB")} {skipped_count === 1 ? "event was" : "events were"} not
          delivered, the last one <Moment iso={skipped_at} />, because as many deliveries of this workspace
          waited as its plan allows. Such scans are counted in analytics all the same.
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
          The service disabled this endpoint <Moment iso={endpoint.disabled_at ?? ""} />
        </b>
        , after 100 failed attempts in a row. Deliveries that waited have failed.
      </p>
      <p>
        Look at the last failures below, correct the receiver, and enable the endpoint again. Then send a
        test, and send again what it missed: filter by “Failed” and select the deliveries.
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
      It hears of no events, and what happens meanwhile is not delivered later.
    </Notice>
  );
}
