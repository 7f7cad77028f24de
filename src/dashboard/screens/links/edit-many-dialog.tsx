import { useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import fieldCss from "../../components/field.module.css";
import { TextField } from "../../components/field.tsx";
import { formatMoment } from "../../components/format-moment.ts";
import { Segments } from "../../components/segments.tsx";
import { TimeField } from "../../components/time-field.tsx";
import { type Edit, planEdit } from "./bulk-edit.ts";
import css from "./edit-many-dialog.module.css";
import type { Link } from "./link-store.ts";
import { UTM_FIELDS } from "./utm.ts";

/** Links shown in the preview. */
const SHOWN = 50;

const KINDS = [
  { value: "campaign", label: "Campaign" },
  { value: "replace", label: "Find and replace" },
  { value: "expiry", label: "Expiry" },
] as const;

interface EditManyProps {
  links: readonly Link[];
  onClose: () => void;
  onApply: (edit: Edit) => void;
}

/** Changes the destinations or expiry times of the selected links, and shows first what will change. */
export function EditManyDialog({ links, onClose, onApply }: EditManyProps) {
  const [edit, setEdit] = useState<Edit>(EMPTY.campaign);
  const changes = links.flatMap((link) => {
    const change = isEmpty(edit) ? null : planEdit(link, edit);
    return change === null ? [] : [{ link, change }];
  });
  const count = formatCount(changes.length, "link");
  const apply = () => {
    onClose();
    onApply(edit);
  };
  return (
    <Dialog
      kind="wide"
      title={`Edit ${formatCount(links.length, "link")}`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={changes.length === 0} onClick={apply}>
            {changes.length === 0 ? "Change links" : `Change ${count}`}
          </Button>
        </>
      }
    >
      <div class="stack">
        <Segments
          label="Change"
          segments={KINDS}
          value={edit.kind}
          onChange={(kind) => setEdit(EMPTY[kind])}
        />
        <EditFields edit={edit} onEdit={setEdit} />
        <section aria-label="Preview" class="stack tight">
          <p class="small muted" role="status">
            {isEmpty(edit)
              ? "The preview shows what will change."
              : `${count} of ${links.length} will change.`}
          </p>
          <ul class={css.list}>
            {changes.slice(0, SHOWN).map(({ link, change }) => (
              <li key={link.id}>
                <b>/{link.short_code}</b>
                <del>
                  {change.destination === undefined ? formatExpiry(link.expires_at) : link.destination}
                </del>
                <ins>{change.destination ?? formatExpiry(change.expires_at ?? null)}</ins>
              </li>
            ))}
          </ul>
          {changes.length > SHOWN && (
            <p class="small muted">and {(changes.length - SHOWN).toLocaleString("en-GB")} more</p>
          )}
        </section>
      </div>
    </Dialog>
  );
}

const EMPTY: { [Kind in Edit["kind"]]: Extract<Edit, { kind: Kind }> } = {
  campaign: { kind: "campaign", values: {} },
  replace: { kind: "replace", find: "", replacement: "" },
  expiry: { kind: "expiry", expiresAt: null },
};

function isEmpty(edit: Edit): boolean {
  if (edit.kind === "campaign") return Object.values(edit.values).every((value) => value.trim() === "");
  return edit.kind === "replace" && edit.find === "";
}

function EditFields({ edit, onEdit }: { edit: Edit; onEdit: (edit: Edit) => void }) {
  if (edit.kind === "campaign") {
    return (
      <div class={fieldCss.pairs}>
        {UTM_FIELDS.map(({ name, label, example }) => (
          <TextField
            key={name}
            label={label}
            placeholder={example}
            value={edit.values[name] ?? ""}
            onInput={(value) => onEdit({ ...edit, values: { ...edit.values, [name]: value } })}
          />
        ))}
      </div>
    );
  }
  if (edit.kind === "replace") {
    return (
      <div class={fieldCss.pairs}>
        <TextField
          label="Find in destinations"
          hint="Case-sensitive."
          value={edit.find}
          onInput={(find) => onEdit({ ...edit, find })}
        />
        <TextField
          label="Replace with"
          value={edit.replacement}
          onInput={(replacement) => onEdit({ ...edit, replacement })}
        />
      </div>
    );
  }
  return (
    <TimeField
      label="Expires"
      hint="If empty, the links don't expire."
      value={edit.expiresAt ?? ""}
      onInput={(iso) => onEdit({ kind: "expiry", expiresAt: iso === "" ? null : iso })}
    />
  );
}

function formatExpiry(iso: string | null): string {
  return iso === null ? "No expiry" : formatMoment(iso);
}
