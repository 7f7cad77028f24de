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
    label: "Let the former secret sign for 24 hours more",
    hint: "Receivers accept deliveries with either secret meanwhile.",
  },
  {
    value: "none",
    label: "Stop the former secret at once",
    hint: "For a secret that leaked. Receivers refuse deliveries until they have the new one.",
  },
] as const;

/** Dialog that rotates the signing secret and then shows the new one once. */
export function RotateSecretDialog({ endpoint: { id }, onClose }: EndpointDialogProps) {
  const [overlap, setOverlap] = useState<"day" | "none">("day");
  const [secret, setSecret] = useState<string | null>(null);
  const getAttemptKey = useAttemptKey();
  if (secret !== null) {
    return (
      <SecretDialog title="The new signing secret" secret={secret} what="signing secret" onClose={onClose}>
        <p class="small muted">
          {overlap === "day"
            ? "The former one also signs for 24 hours, in the header webhook-signature. X-SVC-Signature uses the new one from now on."
            : "The former one signs no more."}
        </p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Rotate the signing secret"
      confirm="Make a new secret"
      isDanger={overlap === "none"}
      onConfirm={async () => setSecret(await rotateSecret(id, overlap === "none", getAttemptKey(overlap)))}
      onClose={onClose}
    >
      <Radios label="Former secret" choices={OVERLAPS} value={overlap} onChange={setOverlap} />
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
        showToast("The endpoint is deleted");
      }}
      onClose={onClose}
    >
      <p class="small">
        It hears of no further event, and deliveries that wait are not made. The log of its deliveries and its
        secret are gone for good. To pause it only, disable it.
      </p>
    </ConfirmDialog>
  );
}
