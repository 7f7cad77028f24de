import { useState } from "preact/hooks";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Select, TextField } from "../../components/field.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import {
  invite,
  type Member,
  type NewInvitation,
  type Role,
  recoverMember,
  removeMember,
} from "./people-store.ts";
import { ROLE_TEXTS } from "./role-texts.ts";

const ROLES: readonly { value: Role; label: string }[] = [
  { value: "viewer", label: "Viewer" },
  { value: "editor", label: "Editor" },
  { value: "owner", label: "Owner" },
];

const FORM: FormSpec<NewInvitation, Partial<NewInvitation>> = {
  fields: { email: ({ email }) => ({ email: email.trim() }), role: ({ role }) => ({ role }) },
};

/** Dialog that invites a person, and then shows the URL once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [url, setUrl] = useState<string | null>(null);
  const form = useForm({
    spec: FORM,
    saved: { email: "", role: "editor" as Role },
    save: async (_, { email, role }) => {
      setUrl(await invite({ email: email.trim(), role }));
      return undefined;
    },
    close: onClose,
  });
  if (url !== null) {
    return (
      <SecretDialog title="Send this link" secret={url} what="invitation link" onClose={onClose}>
        <p class="small muted">
          Send it to {form.draft.email.trim()} yourself. It works once, within 7 days. Whoever opens it joins
          as {form.draft.role}.
        </p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog title="Invite a person" form={form} submit="Create invitation">
      <TextField
        label="Email"
        type="email"
        placeholder="grace@example.com"
        hint="Shows you who the invitation is for. Signpost sends no email."
        autocomplete="off"
        autoFocus
        {...form.text("email")}
      />
      <Select
        label="Role"
        choices={ROLES}
        value={form.draft.role}
        hint={ROLE_TEXTS[form.draft.role]}
        onChange={(role) => form.edit({ role })}
      />
    </FormDialog>
  );
}

interface MemberDialogProps {
  member: Member;
  onClose: () => void;
}

/** Dialog that creates a URL for a member who can no longer sign in, and then shows it once. */
export function RecoverDialog({ member: { id, name, email }, onClose }: MemberDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  if (url !== null) {
    return (
      <SecretDialog
        title={`Send this link to ${name || email}`}
        secret={url}
        what="recovery link"
        onClose={onClose}
      >
        <p class="small muted">It works once, within 24 hours.</p>
      </SecretDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Create a recovery link for ${name || email}?`}
      confirm="Create link"
      isDanger={false}
      onConfirm={async () => setUrl(await recoverMember(id))}
      onClose={onClose}
    >
      <p class="small">
        Use this if {name || email} can no longer sign in. Whoever opens the link gets this membership, with
        the account they are signed in with or a new one. Their former account loses this workspace, and keeps
        all others.
      </p>
    </ConfirmDialog>
  );
}

/** Asks for confirmation before a member is removed. */
export function RemoveDialog({ member, onRemoved, onClose }: MemberDialogProps & { onRemoved: () => void }) {
  const { id, name, email } = member;
  return (
    <ConfirmDialog
      title={`Remove ${name || email}?`}
      confirm="Remove member"
      onConfirm={async () => {
        await removeMember(id);
        onRemoved();
        onClose();
        showToast(`${name || email} removed`);
      }}
      onClose={onClose}
    >
      <p class="small">They lose access immediately. API keys that they created keep working.</p>
    </ConfirmDialog>
  );
}
