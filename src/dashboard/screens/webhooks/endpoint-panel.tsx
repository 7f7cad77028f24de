import { useRef, useState } from "preact/hooks";
import { navigate, setQuery } from "../../address/address.ts";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { asFault } from "../../data/calls.ts";
import { ENDPOINT_NAME_MAX_LENGTH } from "../../data/service-limits.ts";
import { workspace } from "../../session/session.ts";
import {
  diffEndpoint,
  EMPTY_DRAFT,
  type EndpointDraft,
  type EndpointFaults,
  findFaults,
  placeFaults,
  toDraft,
} from "./endpoint-draft.ts";
import { createEndpoint, type Endpoint, type EndpointWithSecret, updateEndpoint } from "./endpoint-store.ts";
import { EventChoice } from "./event-choice.tsx";
import { Verification } from "./verification.tsx";

/**
 * Drafts of panels that were closed without saving, by workspace and endpoint. They are restored when the
 * panel is opened again.
 */
const drafts = new Map<string, EndpointDraft>();

/** Panel that creates or edits an endpoint. The URL parameter `panel` opens it. */
export function EndpointPanel({ endpoint }: { endpoint: Endpoint | null }) {
  const key = `${workspace.peek()?.slug}/${endpoint?.id ?? "new"}`;
  const saved = endpoint === null ? EMPTY_DRAFT : toDraft(endpoint);
  const [draft, setDraft] = useState<EndpointDraft>(drafts.get(key) ?? saved);
  const [faults, setFaults] = useState<EndpointFaults>({});
  const [created, setCreated] = useState<EndpointWithSecret | null>(null);
  const getAttemptKey = useAttemptKey();
  const isSaving = useRef(false);
  const change = diffEndpoint(saved, draft);
  const isChanged = Object.keys(change).length > 0;

  const edit = (changed: Partial<EndpointDraft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    const names = Object.keys(changed).map((name) => (name === "isAll" ? "events" : name));
    setFaults((before) => ({ ...before, ...Object.fromEntries(names.map((name) => [name, undefined])) }));
  };
  const leave = () => {
    if (isChanged && !isSaving.current) {
      drafts.set(key, draft);
      const run = () => setQuery({ panel: endpoint === null ? "new" : "edit" }, { push: true });
      showToast("Not saved. Your changes are still here.", { label: "Continue editing", run });
    }
    close();
  };
  const save = async () => {
    const known = findFaults(draft);
    setFaults(known);
    if (Object.keys(known).length > 0) return;
    isSaving.current = true;
    try {
      await (endpoint === null ? create() : update(endpoint));
      drafts.delete(key);
    } catch (thrown) {
      const placed = placeFaults(asFault(thrown).fields);
      if (Object.keys(placed).length === 0) throw thrown;
      setFaults(placed);
    } finally {
      isSaving.current = false;
    }
  };
  const create = async () => {
    const { url = "", ...others } = change;
    const body = { url, ...others };
    setCreated(await createEndpoint(body, getAttemptKey(JSON.stringify(body))));
  };
  const update = async ({ id }: Endpoint) => {
    await updateEndpoint(id, change);
    close();
    showToast("Saved");
  };

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
      submit={endpoint === null ? "Create endpoint" : "Save"}
      cancel={isChanged ? "Cancel" : "Close"}
      isDisabled={!isChanged}
      onSubmit={save}
      onClose={leave}
    >
      <TextField
        label="URL"
        type="url"
        placeholder="https://hooks.example.com/signpost"
        hint="Receives a POST request for each event. Must be a public https URL on port 443 or 8443."
        autocapitalize="none"
        spellcheck={false}
        autoFocus
        error={faults.url}
        value={draft.url}
        onInput={(url) => edit({ url })}
      />
      <TextField
        label="Name"
        placeholder="Order system"
        maxLength={ENDPOINT_NAME_MAX_LENGTH}
        error={faults.description}
        value={draft.description}
        onInput={(description) => edit({ description })}
      />
      <EventChoice draft={draft} error={faults.events} onChange={edit} />
    </FormDialog>
  );
}

function close(): void {
  setQuery({ panel: null });
}
