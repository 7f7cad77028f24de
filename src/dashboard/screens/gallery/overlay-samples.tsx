import { useState } from "preact/hooks";
import { AssetPicker } from "../../components/asset-picker.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { Menu } from "../../components/menu.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { Tooltip } from "../../components/tooltip.tsx";
import { createOfflineFault } from "../../data/call-error.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import { Sample } from "./sample.tsx";

const nothing = () => {};

/** Dialogs, menus, tooltips and toasts. */
export function OverlaySamples() {
  const [open, setOpen] = useState<"dialog" | "panel" | "wide" | "secret" | "confirm" | "form" | null>(null);
  const close = () => setOpen(null);
  const groups = [
    [
      { label: "Edit", icon: "edit", onSelect: nothing },
      { label: "Archive", icon: "archive", onSelect: nothing },
    ],
    [{ label: "Delete", icon: "trash", isDanger: true, onSelect: nothing }],
  ] as const;
  return (
    <Sample title="Dialogs, menus and messages">
      <div class="row wrap">
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("panel")}>Panel</Button>
        <Button onClick={() => setOpen("wide")}>Asset picker</Button>
        <Button onClick={() => setOpen("secret")}>Secret</Button>
        <Button onClick={() => setOpen("form")}>Form that fails</Button>
        <Button onClick={() => setOpen("confirm")}>Question that fails</Button>
        <Menu label="Sample actions" groups={groups} heading="Actions">
          {(trigger) => (
            <Button icon="more" {...trigger}>
              Menu
            </Button>
          )}
        </Menu>
        <Tooltip text="A few words about the button">
          <Button>Tooltip</Button>
        </Tooltip>
        <Button onClick={() => showToast("/summer-sale archived", { label: "Undo", run: nothing })}>
          Toast
        </Button>
      </div>
      {open === "wide" && <AssetPicker onPick={(url) => showToast(url)} onClose={close} />}
      {open === "secret" && (
        <SecretDialog title="Reports created" secret="svc_pk_an.example" what="API key" onClose={close} />
      )}
      {open === "form" && <SampleForm onClose={close} />}
      {open === "confirm" && (
        <ConfirmDialog
          title="Revoke Reports?"
          confirm="Revoke key"
          onConfirm={() => Promise.reject(createOfflineFault())}
          onClose={close}
        >
          <p class="small">If the action fails, the dialog stays open and shows the reason.</p>
        </ConfirmDialog>
      )}
      {(open === "dialog" || open === "panel") && (
        <Dialog
          kind={open}
          title="Delete 3 links?"
          onClose={close}
          foot={
            <>
              <Button onClick={close}>Cancel</Button>
              <Button kind="danger" onClick={close}>
                Delete 3 links
              </Button>
            </>
          }
        >
          <p class="small">
            Use a confirmation dialog only when the action can't be undone. Its button names the action.
          </p>
        </Dialog>
      )}
    </Sample>
  );
}

const FORM: FormSpec<{ name: string }, { name?: string }> = {
  fields: { name: ({ name }) => ({ name }) },
  check: ({ name }) => (name === "" ? { name: "Enter a name." } : {}),
};

/** Form that always fails. The error is next to the field if the name is empty, otherwise above it. */
function SampleForm({ onClose }: { onClose: () => void }) {
  const save = () => Promise.reject(createOfflineFault());
  const form = useForm({ spec: FORM, saved: { name: "" }, save, close: onClose });
  return (
    <FormDialog title="New thing" form={form} submit="Create thing" takesUnchanged>
      <TextField label="Name" autoFocus {...form.text("name")} />
    </FormDialog>
  );
}
