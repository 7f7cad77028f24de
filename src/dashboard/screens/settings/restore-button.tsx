import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Notice } from "../../components/states.tsx";
import { showToast } from "../../components/toast-list.ts";
import type { CallError } from "../../data/call-error.ts";
import { asFault } from "../../data/calls.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import type { TrashType } from "./trash-item.ts";
import { type Replacement, restoreItem } from "./trash-store.ts";

interface RestoreButtonProps {
  type: TrashType;
  id: string;
  name: string | undefined;
  onRestore?: () => void;
}

/** Restores an item from the trash. If its short code or slug is taken, asks for another one. */
export function RestoreButton({ type, id, name = "Item", onRestore }: RestoreButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const [conflict, setConflict] = useState<CallError | null>(null);
  const restore = async (replacement?: Replacement) => {
    await restoreItem(type, id, replacement);
    setConflict(null);
    showToast(`${name} restored`);
    onRestore?.();
  };
  const run = async () => {
    setBusy(true);
    try {
      await restore();
    } catch (thrown) {
      const fault = asFault(thrown);
      if (isConflict(fault)) setConflict(fault);
      else showToast(fault.message);
    }
    setBusy(false);
  };
  return (
    <>
      <Button size="s" icon="undo" isBusy={isBusy} aria-label={`Restore ${name}`} onClick={() => void run()}>
        Restore
      </Button>
      {conflict && (
        <ConflictDialog
          type={type}
          name={name}
          first={conflict}
          onSubmit={restore}
          onClose={() => setConflict(null)}
        />
      )}
    </>
  );
}

/** Returns true if another item has taken the short code, slug, alias or external ID. */
function isConflict({ code }: CallError): boolean {
  return code === "SLUG_TAKEN" || code === "ALIAS_TAKEN" || code === "EXTERNAL_ID_TAKEN";
}

interface ConflictDialogProps {
  type: TrashType;
  name: string;
  /** CallError of the restoration. */
  first: CallError;
  onSubmit: (replacement: Replacement) => Promise<void>;
  onClose: () => void;
}

const FORM: FormSpec<{ slug: string }, { slug?: string }> = {
  fields: { slug: ({ slug }) => ({ slug: slug.trim() }) },
};

/** Explains what is taken, and restores the item with another short code or slug, or without what is taken. */
function ConflictDialog({ type, name, first, onSubmit, onClose }: ConflictDialogProps) {
  const [fault, setFault] = useState(first);
  const [kept, setKept] = useState<Replacement>({});
  const needsSlug = fault.code === "SLUG_TAKEN";
  const submit = async (_: unknown, { slug }: { slug: string }): Promise<undefined> => {
    const replacement: Replacement = {
      ...kept,
      ...(fault.code === "SLUG_TAKEN" && { slug }),
      ...(fault.code === "ALIAS_TAKEN" && { aliases: [] }),
      ...(fault.code === "EXTERNAL_ID_TAKEN" && { externalId: null }),
    };
    try {
      await onSubmit(replacement);
    } catch (thrown) {
      const next = asFault(thrown);
      if (!isConflict(next)) throw thrown;
      setKept(replacement);
      setFault(next);
    }
  };
  const form = useForm({ spec: FORM, saved: { slug: "" }, save: submit, close: onClose });
  const label = type === "links" ? "Short code" : "Slug";
  return (
    <FormDialog
      title={`Restore ${name}`}
      form={form}
      submit={describeSubmit(fault)}
      takesUnchanged={!needsSlug}
    >
      <Notice tone="warn">
        <p>{fault.message}</p>
      </Notice>
      {needsSlug && (
        <TextField
          label={label}
          {...form.text("slug")}
          autocapitalize="none"
          autoFocus
          hint="Codes that are already printed lead to the link that has the old one."
        />
      )}
    </FormDialog>
  );
}

function describeSubmit({ code }: CallError): string {
  if (code === "ALIAS_TAKEN") return "Restore without aliases";
  return code === "EXTERNAL_ID_TAKEN" ? "Restore without external ID" : "Restore";
}
