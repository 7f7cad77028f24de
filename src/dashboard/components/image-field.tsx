import { useState } from "preact/hooks";
import { canEdit } from "../session/session.ts";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import css from "./image-field.module.css";
import { LazyPart } from "./lazy-part.tsx";

const loadPicker = async () => ({ default: (await import("./asset-picker.tsx")).AssetPicker });

interface ImageFieldProps {
  label: string;
  hint?: string | undefined;
  value: string;
  error: string | undefined;
  onInput: (address: string) => void;
}

/** Field for an image: its URL, or one of the workspace's files. */
export function ImageField({ label, hint, value, error, onInput }: ImageFieldProps) {
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
        onInput={onInput}
      />
      {canEdit.value && (
        <div class={`row ${css.commands}`}>
          <Button icon="image" aria-label={`Choose a file for “${label}”`} onClick={() => setPicking(true)}>
            Choose
          </Button>
          {value !== "" && (
            <Button kind="plain" icon="close" aria-label={`Remove “${label}”`} onClick={() => onInput("")} />
          )}
        </div>
      )}
      {isPicking && (
        <LazyPart
          load={loadPicker}
          properties={{ title: label, onPick: onInput, onClose: () => setPicking(false) }}
          hidesSkeleton
        />
      )}
    </div>
  );
}
