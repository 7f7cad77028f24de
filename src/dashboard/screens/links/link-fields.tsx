import { LABELS_MAX, TITLE_MAX_LENGTH } from "../../../links/link-limits.ts";
import { SLUG_MAX_LENGTH } from "../../../routing/short-code.ts";
import { Combobox } from "../../components/combobox.tsx";
import fieldCss from "../../components/field.module.css";
import { TextField } from "../../components/field.tsx";
import { LinkSections } from "./link-sections.tsx";
import { knownLabels } from "./link-store.ts";
import type { LinkForm } from "./use-link-draft.ts";

interface LinkFieldsProps {
  form: LinkForm;
  isNew: boolean;
  hasPassword: boolean;
  /** Start of short URLs without a scheme, with a trailing slash. */
  shortStart: string;
}

/** Fields of a link. The most common ones come first, all others are in collapsible sections. */
export function LinkFields({ form, isNew, hasPassword, shortStart }: LinkFieldsProps) {
  const { draft, faults, edit, text } = form;
  return (
    <div class="stack">
      <TextField
        label="Destination"
        placeholder="https://example.com/your-long-url"
        type="url"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        required
        autoFocus={isNew}
        {...text("destination")}
      />
      {isNew && (
        <TextField
          label="Short code"
          hint="Leave empty to generate a 7-character code. You can rename it later: printed codes keep working."
          affix={shortStart}
          placeholder="summer-sale"
          maxLength={SLUG_MAX_LENGTH}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...text("slug")}
          onInput={(slug) => edit({ slug: slug.replace(/\s+/g, "-") })}
        />
      )}
      <div class={fieldCss.pairs}>
        <TextField
          label="Title"
          placeholder="Only visible to your team"
          maxLength={TITLE_MAX_LENGTH}
          {...text("title")}
        />
        <Combobox
          label="Labels"
          options={knownLabels.value.map((label) => ({ value: label, label }))}
          values={draft.labels}
          max={LABELS_MAX}
          takesNew
          placeholder="Add a label"
          error={faults.labels}
          onChange={(labels) => edit({ labels })}
        />
      </div>
      <LinkSections form={form} isNew={isNew} hasPassword={hasPassword} />
    </div>
  );
}
