import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Moment } from "../../components/moment.tsx";
import { useResource } from "../../data/resources.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import {
  addPasskey,
  canUsePasskeys,
  PASSKEYS_KEY,
  type Passkey,
  readPasskeys,
  removePasskey,
  renamePasskey,
} from "./passkey-store.ts";
import settingCss from "./setting.module.css";
import { SectionHead } from "./setting.tsx";

/** Passkeys of the person: adds, renames and removes them. */
export function PasskeysSetting() {
  const { value } = useResource<Passkey[]>(PASSKEYS_KEY, readPasskeys);
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const [isBusy, setBusy] = useState(false);
  const add = async () => {
    setBusy(true);
    await addPasskey();
    setBusy(false);
  };
  return (
    <section class="stack">
      <SectionHead
        title="Passkeys"
        text="Sign in with your fingerprint, face or screen lock, without a sign-in link. A passkey works for all your workspaces."
        action={
          canUsePasskeys() && (
            <Button icon="plus" isBusy={isBusy} onClick={() => void add()}>
              Add passkey
            </Button>
          )
        }
      />
      {value !== undefined && value.length > 0 && (
        <ul class={settingCss.cardList}>
          {value.map((passkey) => (
            <li key={passkey.id} class="row">
              <span class="grow">
                <b>{passkey.name}</b>
                <span class="small muted">
                  {" "}
                  Added <Moment iso={passkey.created_at} />
                  {passkey.last_used_at === null ? (
                    ", never used"
                  ) : (
                    <>
                      , last used <Moment iso={passkey.last_used_at} />
                    </>
                  )}
                </span>
              </span>
              <Button size="s" aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
                Rename
              </Button>
              <Button size="s" aria-label={`Remove ${passkey.name}`} onClick={() => setRemoved(passkey)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {renamed && <RenameDialog passkey={renamed} onClose={() => setRenamed(null)} />}
      {removed && (
        <ConfirmDialog
          title={`Remove ${removed.name}?`}
          confirm="Remove passkey"
          onConfirm={async () => {
            await removePasskey(removed.id);
            setRemoved(null);
          }}
          onClose={() => setRemoved(null)}
        >
          <p class="small">It no longer signs you in. You can delete it on your device as well.</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

const FORM: FormSpec<{ name: string }, { name?: string }> = {
  fields: { name: ({ name }) => ({ name: name.trim() }) },
};

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const form = useForm({
    spec: FORM,
    saved: { name: passkey.name },
    save: async ({ name = "" }) => {
      await renamePasskey(passkey.id, name);
      onClose();
      return undefined;
    },
    close: onClose,
  });
  return (
    <FormDialog title={`Rename ${passkey.name}`} form={form} submit="Rename">
      <TextField label="Name" autoFocus {...form.text("name")} />
    </FormDialog>
  );
}
