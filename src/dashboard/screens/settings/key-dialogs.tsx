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
  { value: "0", label: "Not at all: it is refused at once" },
  { value: "1", label: "For 1 hour more" },
  { value: "4", label: "For 4 hours more" },
  { value: "12", label: "For 12 hours more" },
  { value: "24", label: "For 24 hours more" },
] as const;
type Overlap = (typeof OVERLAPS)[number]["value"];

/** Dialog that rotates a key and then shows the new one once. */
export function RotateKeyDialog({ apiKey: { id, name }, onClose }: KeyDialogProps) {
  const [overlap, setOverlap] = useState<Overlap>("24");
  const [text, setText] = useState<string | null>(null);
  const getAttemptKey = useAttemptKey();
  if (text !== null) {
    return (
      <SecretDialog title={`The new key of ${name}`} secret={text} what="API key" onClose={onClose}>
        <p class="small muted">
          {overlap === "0"
            ? "The former key is refused from now on."
            : `The former key works for ${overlap} ${overlap === "1" ? "hour" : "hours"} more.`}
        </p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Rotate ${name}`}
      confirm="Make a new key"
      isDanger={overlap === "0"}
      onConfirm={async () => setText((await rotateKey(id, Number(overlap), getAttemptKey(overlap))).key)}
      onClose={onClose}
    >
      <p class="small">The new key has the same name, the same access and the same end.</p>
      <Select
        label="The former key works"
        choices={OVERLAPS}
        value={overlap}
        hint="The time that you need to put the new key where the former one is."
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
      ? "It was never used."
      : `It was last used on ${formatDay(last_used_on, Date.now())}.`;
  return (
    <ConfirmDialog
      title={`Revoke ${name}?`}
      confirm="Revoke key"
      onConfirm={async () => {
        await revokeKey(id);
        onClose();
        showToast(`${name} is revoked`);
      }}
      onClose={onClose}
    >
      <p class="small">
        Programs with this key are refused from the next call on, with status 401. {use} This cannot be
        undone; to change the key without a break, rotate it.
      </p>
      <p class="small muted">Its access: {describeScopes(scopes)}</p>
    </ConfirmDialog>
  );
}
