import { useState } from "preact/hooks";
import { formatCount } from "../../../core/format-count.ts";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { Button } from "../../components/button.tsx";
import { Combobox } from "../../components/combobox.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { countLabels } from "./bulk-labels.ts";
import { knownLabels, type Link } from "./link-store.ts";

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
