import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { type BulkCommand, labelCommand } from "./bulk-commands.ts";
import { knownLabels, type Link } from "./link-store.ts";

interface DeleteManyProps {
  links: readonly Link[];
  onClose: () => void;
  onDelete: () => void;
}

/** Asks before many links are deleted, since nothing brings them back. */
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
  onCommand: (command: BulkCommand) => void;
}

/** Adds a label to many links, or takes it from them. */
export function LabelManyDialog({ links, onClose, onCommand }: LabelManyProps) {
  const [label, setLabel] = useState<string | null>(null);
  const isOnAll = label !== null && links.every(({ labels }) => labels.includes(label));
  const apply = () => {
    if (label === null) return;
    onClose();
    onCommand(labelCommand(label, !isOnAll));
  };
  return (
    <Dialog
      title={`Label ${links.length.toLocaleString("en-GB")} ${links.length === 1 ? "link" : "links"}`}
      onClose={onClose}
      foot={
        <Button kind="primary" isDisabled={label === null} onClick={apply}>
          {isOnAll ? "Take label away" : "Add label"}
        </Button>
      }
    >
      <Combobox
        label="Label"
        hint={isOnAll ? "All of them have this label." : "Links that have it already keep it."}
        options={knownLabels.value.map((name) => ({ value: name, label: name }))}
        values={label === null ? [] : [label]}
        takesNew
        onChange={([name]) => setLabel(name ?? null)}
      />
    </Dialog>
  );
}
