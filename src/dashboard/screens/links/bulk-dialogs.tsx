import { useState } from "preact/hooks";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { countLabels } from "./bulk-labels.ts";
import { knownLabels, type Link } from "./link-store.ts";

interface DeleteManyProps {
  links: readonly Link[];
  onClose: () => void;
  onDelete: () => void;
}

/** Asks for confirmation before links are deleted, because a bulk deletion can't be undone. */
export function DeleteManyDialog({ links, onClose, onDelete }: DeleteManyProps) {
  const noun = links.length === 1 ? "link" : "links";
  const count = links.length.toLocaleString("en-GB");
  return (
    <Dialog
      title={`Delete ${count} ${noun}?`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Keep</Button>
          <Button
            kind="danger"
            onClick={() => {
              onClose();
              onDelete();
            }}
          >
            Delete {count} {noun}
          </Button>
        </>
      }
    >
      <p class="small">
        Their short addresses stop working at once, also on what is printed, and others may take them. This
        cannot be undone. To keep them out of sight only, archive them.
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
      title={`Label ${links.length.toLocaleString("en-GB")} ${links.length === 1 ? "link" : "links"}`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" isDisabled={isEmpty} onClick={apply}>
            Change labels
          </Button>
        </>
      }
    >
      <div class="stack">
        <Combobox
          label="Add"
          hint="Links that have a label already keep it."
          options={knownLabels.value.map((name) => ({ value: name, label: name }))}
          values={added}
          max={LABELS_MAX}
          takesNew
          onChange={setAdded}
        />
        {counts.size > 0 && (
          <Combobox
            label="Take away"
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
