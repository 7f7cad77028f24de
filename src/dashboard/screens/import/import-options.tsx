import type { OnConflict } from "../../../client/import/plan-import.ts";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { setQuery } from "../../address/address.ts";
import { Combobox } from "../../components/combobox.tsx";
import { Select } from "../../components/field.tsx";
import { knownLabels } from "../links/link-store.ts";
import type { ImportChoices } from "./import-address.ts";

const CONFLICT_TEXTS: Record<OnConflict, { label: string; hint: string }> = {
  skip: { label: "Leave the row out", hint: "The link that has the code stays as it is." },
  suffix: {
    label: "Add a number to the code",
    hint: "“sale” becomes “sale-2”. Printed codes lead to the link that has it now.",
  },
  fail: { label: "Make nothing at all", hint: "Nothing is imported as long as a row is in conflict." },
};

/** Options of the import. A change updates the plan immediately. */
export function ImportOptions({ onConflict, labels }: ImportChoices) {
  return (
    <div class="import-options">
      <Select
        label="If another link has the short code"
        value={onConflict}
        choices={(["skip", "suffix", "fail"] as const).map((value) => ({
          value,
          label: CONFLICT_TEXTS[value].label,
        }))}
        hint={CONFLICT_TEXTS[onConflict].hint}
        onChange={(value) => setQuery({ conflict: value === "skip" ? null : value })}
      />
      <Combobox
        label="Labels for all of them"
        placeholder="moved-2027"
        hint="You find the imported links again by a label."
        options={knownLabels.value.map((label) => ({ value: label, label }))}
        values={labels}
        max={LABELS_MAX}
        takesNew
        onChange={(values) => setQuery({ labels: values.join() })}
      />
    </div>
  );
}
