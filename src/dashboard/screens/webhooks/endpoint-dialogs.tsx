import { useState } from "preact/hooks";
import { navigate } from "../../address/address.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Radios } from "../../components/radios.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { getHost } from "./delivery-health.ts";
import { deleteEndpoint, type Endpoint, rotateSecret } from "./endpoint-store.ts";

interface EndpointDialogProps {
  endpoint: Endpoint;
  onClose: () => void;
}

const OVERLAPS = [
  {
    value: "day",
    label: "Keep the old secret for 24 hours",
    hint: "Deliveries are signed with both secrets, so verification with either one succeeds.",
  },
  {
    value: "none",
    label: "Stop using the old secret immediately",
    hint: "Use this if the secret was leaked. Verification fails until your endpoint uses the new one.",
  },
] as const;

/** Dialog that rotates the signing secret and then shows the new one once. */
export function RotateSecretDialog({ endpoint: { id }, onClose }: EndpointDialogProps) {
  const [overlap, setOverlap] = useState<"day" | "none">("day");
  const [secret, setSecret] = useState<string | null>(null);
  const getAttemptKey = useAttemptKey();
  if (secret !== null) {
    return (
      <SecretDialog title="New signing secret" secret={secret} what="signing secret" onClose={onClose}>
        <p class="small muted">
          {overlap === "day"
            ? "For 24 hours, webhook-signature also contains a signature made with the old secret. X-SVC-Signature only uses the new one."
            : "The old secret is no longer used."}
        </p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Rotate signing secret"
      confirm="Rotate secret"
      isDanger={overlap === "none"}
      onConfirm={async () => setSecret(await rotateSecret(id, overlap === "none", getAttemptKey(overlap)))}
      onClose={onClose}
    >
      <Radios label="Old secret" choices={OVERLAPS} value={overlap} onChange={setOverlap} />
    </ConfirmDialog>
  );
}

/** Asks for confirmation before an endpoint is deleted, because this can't be undone. */
export function DeleteEndpointDialog({ endpoint: { id, url, description }, onClose }: EndpointDialogProps) {
  return (
    <ConfirmDialog
      title={`Delete ${description || getHost(url)}?`}
      confirm="Delete endpoint"
      onConfirm={async () => {
        await deleteEndpoint(id);
        navigate("/webhooks");
        showToast("Endpoint deleted");
      }}
      onClose={onClose}
    >
      <p class="small">
        It won't receive any more events, and pending deliveries are cancelled. Its delivery log and signing
        secret are permanently deleted. To pause it instead, disable it.
      </p>
    </ConfirmDialog>
  );
}
