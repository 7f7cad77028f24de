import type { OnConflict } from "../../../client/import/plan-import.ts";
import { LABELS_MAX } from "../../../links/link-limits.ts";
import { setQuery } from "../../address/address.ts";
import { Combobox } from "../../components/combobox.tsx";
import { Select } from "../../components/field.tsx";
import { knownLabels } from "../links/link-store.ts";
import type { ImportChoices } from "./import-address.ts";
import css from "./import-options.module.css";

const CONFLICT_TEXTS: Record<OnConflict, { label: string; hint: string }> = {
  skip: { label: "Skip the row", hint: "The existing link isn't changed." },
  suffix: {
    label: "Add a number to the short code",
    hint: "“sale” becomes “sale-2”. Printed QR codes still open the existing link.",
  },
  fail: { label: "Import nothing", hint: "Nothing is imported while any row has a conflict." },
};

/** Options of the import. A change updates the plan immediately. */
export function ImportOptions({ onConflict, labels }: ImportChoices) {
  return (
    <div class={css.options}>
      <Select
        label="If a short code is already taken"
        value={onConflict}
        choices={(["skip", "suffix", "fail"] as const).map((value) => ({
          value,
          label: CONFLICT_TEXTS[value].label,
        }))}
        hint={CONFLICT_TEXTS[onConflict].hint}
        onChange={(value) => setQuery({ conflict: value === "skip" ? null : value })}
      />
      <Combobox
        label="Add labels to all imported links"
        placeholder="moved-2027"
        hint="A label makes imported links easy to find later."
        options={knownLabels.value.map((label) => ({ value: label, label }))}
        values={labels}
        max={LABELS_MAX}
        takesNew
        onChange={(values) => setQuery({ labels: values.join() })}
      />
    </div>
  );
}
