import { TextField } from "../../components/field.tsx";
import { showToast } from "../../components/toast-list.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import { type Link, updateLink } from "./link-store.ts";

interface RenameProps {
  link: Link;
  onRenamed: (link: Link) => void;
  onClose: () => void;
}

const FORM: FormSpec<{ code: string }, { custom_slug?: string }> = {
  fields: { code: ({ code }) => ({ custom_slug: code.trim() }) },
};

/** Gives a link another short code. The old one becomes an alias. */
export function RenameDialog({ link, onRenamed, onClose }: RenameProps) {
  const form = useForm({
    spec: FORM,
    saved: { code: link.short_code },
    save: async (change) => {
      const renamed = await updateLink(link.id, change, {});
      onRenamed(renamed);
      showToast(`Renamed to /${renamed.short_code}. /${link.short_code} keeps working.`);
      onClose();
      return undefined;
    },
    close: onClose,
  });
  return (
    <FormDialog title={`Rename /${link.short_code}`} form={form} submit="Rename">
      <TextField
        label="Short code"
        affix="/"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        autoFocus
        {...form.text("code")}
      />
      <p class="small muted">
        /{link.short_code} keeps working as an alias, so printed URLs and QR codes still reach this link.
      </p>
    </FormDialog>
  );
}
