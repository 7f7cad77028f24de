import { useState } from "preact/hooks";
import { AssetPicker } from "../../components/asset-picker.tsx";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { canEdit } from "../../session/session.ts";
import css from "./image-field.module.css";

interface ImageFieldProps {
  label: string;
  hint: string;
  value: string;
  error: string | undefined;
  onChange: (address: string) => void;
}

/** Field for an image: its URL, or one of the workspace's files. */
export function ImageField({ label, hint, value, error, onChange }: ImageFieldProps) {
  const [isPicking, setPicking] = useState(false);
  return (
    <div class={css.field}>
      <TextField
        label={label}
        hint={hint}
        type="url"
        inputMode="url"
        placeholder="https://…"
        autocomplete="off"
        spellcheck={false}
        value={value}
        error={error}
        onInput={onChange}
      />
      {canEdit.value && (
        <div class={`row ${css.commands}`}>
          <Button icon="image" aria-label={`Choose a file for “${label}”`} onClick={() => setPicking(true)}>
            Choose
          </Button>
          {value !== "" && (
            <Button kind="plain" icon="close" aria-label={`Remove “${label}”`} onClick={() => onChange("")} />
          )}
        </div>
      )}
      {isPicking && <AssetPicker title={label} onPick={onChange} onClose={() => setPicking(false)} />}
    </div>
  );
}
