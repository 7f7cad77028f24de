import { useState } from "preact/hooks";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { type Link, updateLink } from "./link-store.ts";

interface RenameProps {
  link: Link;
  onRenamed: (link: Link) => void;
  onClose: () => void;
}

/** Gives a link another short code. The old one becomes an alias. */
export function RenameDialog({ link, onRenamed, onClose }: RenameProps) {
  const [code, setCode] = useState(link.short_code);
  const [error, setError] = useState<string>();
  const wanted = code.trim();
  const rename = async () => {
    try {
      onRenamed(await updateLink(link.id, { custom_slug: wanted }, {}));
    } catch (thrown) {
      const fault = asFault(thrown);
      const { custom_slug } = fault.fields;
      setError(custom_slug);
      if (custom_slug === undefined) throw fault;
      return;
    }
    showToast(`Renamed to /${wanted}. /${link.short_code} keeps working.`);
    onClose();
  };
  return (
    <FormDialog
      title={`Rename /${link.short_code}`}
      submit="Rename"
      isDisabled={wanted === "" || wanted === link.short_code}
      onSubmit={rename}
      onClose={onClose}
    >
      <TextField
        label="Short code"
        affix="/"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        autoFocus
        value={code}
        error={error}
        onInput={(text) => {
          setCode(text);
          setError(undefined);
        }}
      />
      <p class="small muted">
        /{link.short_code} keeps working as an alias, so printed URLs and QR codes still reach this link.
      </p>
    </FormDialog>
  );
}
