import { useState } from "preact/hooks";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { formatCount } from "../../components/format-count.ts";
import { countLabels } from "./bulk-labels.ts";
import { knownLabels, type Link } from "./link-store.ts";

interface DeleteManyProps {
  links: readonly Link[];
  onClose: () => void;
  onDelete: () => void;
}

/** Asks for confirmation before links are deleted, because a bulk deletion can't be undone. */
export function DeleteManyDialog({ links, onClose, onDelete }: DeleteManyProps) {
  const count = formatCount(links.length, "link");
  return (
    <Dialog
      title={`Delete ${count}?`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              onDelete();
            }}
          >
            Delete {count}
          </Button>
        </>
      }
    >
      <p class="small">
        Their short URLs stop working immediately, including on printed QR codes, and their short codes can be
        used again. This can't be undone. To hide links from lists instead, archive them.
      </p>
    </Dialog>
  );
}

interface LabelManyProps {
  links: readonly Link[];
  onClose: () => void;
  onApply: (added: readonly string[], removed: readonly string[]) => void;
}

/** Adds labels to the selected links and removes others. */
export function LabelManyDialog({ links, onClose, onApply }: LabelManyProps) {
  const [added, setAdded] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const counts = countLabels(links);
  const isEmpty = added.length === 0 && removed.length === 0;
  const apply = () => {
    onClose();
    onApply(added, removed);
  };
  return (
    <Dialog
      title={`Edit labels on ${formatCount(links.length, "link")}`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={isEmpty} onClick={apply}>
            Save labels
          </Button>
        </>
      }
    >
      <div class="stack">
        <Combobox
          label="Add"
          hint="Links keep the labels they already have."
          options={knownLabels.value.map((name) => ({ value: name, label: name }))}
          values={added}
          max={LABELS_MAX}
          takesNew
          onChange={setAdded}
        />
        {counts.size > 0 && (
          <Combobox
            label="Remove"
            options={[...counts].map(([name, count]) => ({ value: name, label: name, code: String(count) }))}
            values={removed}
            max={LABELS_MAX}
            onChange={setRemoved}
          />
        )}
      </div>
    </Dialog>
  );
}
