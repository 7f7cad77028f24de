import { useState } from "preact/hooks";
import { navigate, setQuery } from "../../address/address.ts";
import { TextField } from "../../components/field.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { ENDPOINT_NAME_MAX_LENGTH } from "../../data/service-limits.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import { useForm } from "../../forms/use-form.ts";
import { EMPTY_DRAFT, ENDPOINT_FORM, type EndpointBody, toDraft } from "./endpoint-draft.ts";
import { createEndpoint, type Endpoint, type EndpointWithSecret, updateEndpoint } from "./endpoint-store.ts";
import { EventChoice } from "./event-choice.tsx";
import { Verification } from "./verification.tsx";

/** Panel that creates or edits an endpoint. The URL parameter `panel` opens it. */
export function EndpointPanel({ endpoint }: { endpoint: Endpoint | null }) {
  const [created, setCreated] = useState<EndpointWithSecret | null>(null);
  const getAttemptKey = useAttemptKey();
  const create = async ({ url = "", ...others }: EndpointBody): Promise<undefined> => {
    const body = { url, ...others };
    setCreated(await createEndpoint(body, getAttemptKey(JSON.stringify(body))));
  };
  const update = async ({ id }: Endpoint, change: EndpointBody): Promise<undefined> => {
    await updateEndpoint(id, change);
    close();
    showToast("Saved");
  };
  const form = useForm({
    spec: ENDPOINT_FORM,
    saved: endpoint === null ? EMPTY_DRAFT : toDraft(endpoint),
    keep: {
      id: `endpoint ${endpoint?.id ?? "new"}`,
      reopen: () => setQuery({ panel: endpoint === null ? "new" : "edit" }, { push: true }),
    },
    save: (change) => (endpoint === null ? create(change) : update(endpoint, change)),
    close,
  });

  if (created !== null) {
    return (
      <SecretDialog
        title="Endpoint created"
        secret={created.secret}
        what="signing secret"
        onClose={() => navigate(`/webhooks/${created.id}`)}
      >
        <Verification />
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      kind="panel"
      title={endpoint === null ? "New endpoint" : "Edit endpoint"}
      form={form}
      submit={endpoint === null ? "Create endpoint" : "Save"}
    >
      <TextField
        label="URL"
        type="url"
        placeholder="https://hooks.example.com/signpost"
        hint="Receives a POST request for each event. Must be a public https URL on port 443 or 8443."
        autocapitalize="none"
        spellcheck={false}
        autoFocus
        {...form.text("url")}
      />
      <TextField
        label="Name"
        placeholder="Order system"
        maxLength={ENDPOINT_NAME_MAX_LENGTH}
        {...form.text("description")}
      />
      <EventChoice draft={form.draft} error={form.faults.events} onChange={form.edit} />
    </FormDialog>
  );
}

function close(): void {
  setQuery({ panel: null });
}
