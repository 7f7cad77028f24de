import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Select } from "../../components/field.tsx";
import { formatDay } from "../../components/format-moment.ts";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { describeScopes } from "./key-scopes.ts";
import { type Key, revokeKey, rotateKey } from "./key-store.ts";

interface KeyDialogProps {
  apiKey: Key;
  onClose: () => void;
}

const OVERLAPS = [
  { value: "0", label: "Don't keep it" },
  { value: "1", label: "For 1 hour" },
  { value: "4", label: "For 4 hours" },
  { value: "12", label: "For 12 hours" },
  { value: "24", label: "For 24 hours" },
] as const;
type Overlap = (typeof OVERLAPS)[number]["value"];

/** Dialog that rotates a key and then shows the new one once. */
export function RotateKeyDialog({ apiKey: { id, name }, onClose }: KeyDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>("24");
  const [text, setText] = useState<string | null>(null);
  const getAttemptKey = useAttemptKey();
  if (text !== null) {
    return (
      <SecretDialog title={`New key for ${name}`} secret={text} what="API key" onClose={onClose}>
        <p class="small muted">
          {overlap === "0"
            ? "The old key no longer works."
            : `The old key works for another ${overlap} ${overlap === "1" ? "hour" : "hours"}.`}
        </p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Rotate ${name}`}
      confirm="Rotate key"
      isDanger={overlap === "0"}
      onConfirm={async () => setText((await rotateKey(id, Number(overlap), getAttemptKey(overlap))).key)}
      onClose={onClose}
    >
      <p class="small">The new key has the same name, scopes and expiry date.</p>
      <Select
        label="Keep the old key working"
        choices={OVERLAPS}
        value={overlap}
        hint="Gives you time to replace the old key in your apps."
        onChange={setOverlap}
      />
    </ConfirmDialog>
  );
}

/** Asks for confirmation before a key is revoked, because this can't be undone. Shows what stops working. */
export function RevokeKeyDialog({ apiKey, onClose }: KeyDialogProps) {
  const { id, name, scopes, last_used_on } = apiKey;
  const use =
    last_used_on === null
      ? "It has never been used."
      : `It was last used on ${formatDay(last_used_on, Date.now())}.`;
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm="Revoke key"
      onConfirm={async () => {
        await revokeKey(id);
        onClose();
        showToast(`${name} revoked`);
      }}
      onClose={onClose}
    >
      <p class="small">
        Requests with this key will fail immediately with status 401. {use} This can't be undone. To replace
        the key without downtime, rotate it instead.
      </p>
      <p class="small muted">Access: {describeScopes(scopes)}</p>
    </ConfirmDialog>
  );
}
