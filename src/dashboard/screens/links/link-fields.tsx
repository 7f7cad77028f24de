import type { ComponentChildren } from "preact";
import { Combobox } from "../../components/combobox.tsx";
import { Check, TextArea, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import type { DraftFaults, LinkDraft } from "./link-draft.ts";
import { knownLabels } from "./link-store.ts";
import { readUtm, UTM_FIELDS } from "./utm.ts";
import { UtmBuilder } from "./utm-builder.tsx";

const LABELS_MAX = 10;

interface LinkFieldsProps {
  draft: LinkDraft;
  faults: DraftFaults;
  isNew: boolean;
  hasPassword: boolean;
  /** Host of short URLs, with a slash at the end. */
  shortStart: string;
  onChange: (change: Partial<LinkDraft>) => void;
}

/** Fields of a link: what everybody needs first, the rest in sections. */
export function LinkFields({ draft, faults, isNew, hasPassword, shortStart, onChange }: LinkFieldsProps) {
  const campaign = UTM_FIELDS.filter(({ name }) => readUtm(draft.destination, name) !== "").length;
  const times = [draft.startsAt, draft.expiresAt, draft.maxScans].filter((value) => value !== "").length;
  const access = Number(hasPassword || Boolean(draft.password)) + Number(draft.forwardQuery);
  return (
    <div class="stack">
      <TextField
        label="Destination"
        placeholder="https://example.com/a-long-address"
        type="url"
        inputMode="url"
        autocomplete="off"
        spellcheck={false}
        required
        autoFocus={isNew}
        value={draft.destination}
        error={faults.destination}
        onInput={(destination) => onChange({ destination })}
      />
      {isNew && (
        <TextField
          label="Short address"
          hint="Leave it empty for a code of seven characters. It stays as it is once the link exists."
          affix={shortStart}
          placeholder="summer-sale"
          maxLength={50}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={draft.slug}
          error={faults.slug}
          onInput={(slug) => onChange({ slug: slug.replace(/\s+/g, "-") })}
        />
      )}
      <TextField
        label="Title"
        placeholder="For you and your team"
        maxLength={200}
        value={draft.title}
        error={faults.title}
        onInput={(title) => onChange({ title })}
      />
      <Combobox
        label="Labels"
        options={knownLabels.value.map((label) => ({ value: label, label }))}
        values={draft.labels}
        max={LABELS_MAX}
        takesNew
        placeholder="Add a label"
        error={faults.labels}
        onChange={(labels) => onChange({ labels })}
      />
      <Section title="Campaign" count={campaign}>
        <p class="field-hint">
          These parameters are part of the destination. Analytics of its website read them.
        </p>
        <UtmBuilder destination={draft.destination} onChange={(destination) => onChange({ destination })} />
      </Section>
      <Section
        title="Schedule and limit"
        count={times}
        isOpen={Boolean(
          faults.startsAt || faults.expiresAt || faults.maxScans || faults.earlyUrl || faults.expiredUrl,
        )}
      >
        <div class="pairs">
          <TextField
            label="Works from"
            type="datetime-local"
            value={draft.startsAt}
            error={faults.startsAt}
            onInput={(startsAt) => onChange({ startsAt })}
          />
          <TextField
            label="Works until"
            type="datetime-local"
            value={draft.expiresAt}
            error={faults.expiresAt}
            onInput={(expiresAt) => onChange({ expiresAt })}
          />
        </div>
        {(draft.startsAt !== "" || draft.earlyUrl !== "") && (
          <TextField
            label="Before that, lead to"
            placeholder="https://example.com/soon"
            value={draft.earlyUrl}
            error={faults.earlyUrl}
            onInput={(earlyUrl) => onChange({ earlyUrl })}
          />
        )}
        <TextField
          label="Scans at most"
          inputMode="numeric"
          placeholder="No limit"
          value={draft.maxScans}
          error={faults.maxScans}
          onInput={(maxScans) => onChange({ maxScans })}
        />
        <TextField
          label="Afterwards, lead to"
          hint="Instead of the page that says that the link is over."
          placeholder="https://example.com/over"
          value={draft.expiredUrl}
          error={faults.expiredUrl}
          onInput={(expiredUrl) => onChange({ expiredUrl })}
        />
      </Section>
      <Section title="Access" count={access} isOpen={Boolean(faults.password || faults.forwardQuery)}>
        <TextField
          label="Password"
          type="password"
          autocomplete="new-password"
          placeholder={hasPassword ? "Unchanged" : "None"}
          hint="Visitors are asked for it. 4 characters at least."
          value={draft.password ?? ""}
          error={faults.password}
          onInput={(password) => onChange({ password: password === "" && hasPassword ? null : password })}
        />
        {hasPassword && (
          <Check
            label="Remove the password"
            isChecked={draft.password === ""}
            onChange={(isRemoved) => onChange({ password: isRemoved ? "" : null })}
          />
        )}
        <Check
          label="Forward query parameters"
          hint="What visitors add to the short address is added to the destination."
          isChecked={draft.forwardQuery}
          onChange={(forwardQuery) => onChange({ forwardQuery })}
        />
      </Section>
      <Section title="Note" count={draft.note === "" ? 0 : 1} isOpen={Boolean(faults.note)}>
        <TextArea
          label="Note"
          maxLength={2_048}
          placeholder="What others should know about this link"
          value={draft.note}
          error={faults.note}
          onInput={(note) => onChange({ note })}
        />
      </Section>
    </div>
  );
}

interface SectionProps {
  title: string;
  /** Number of settings in it. It is open at first if there are some. */
  count: number;
  isOpen?: boolean;
  children: ComponentChildren;
}

function Section({ title, count, isOpen = false, children }: SectionProps) {
  return (
    <details class="section" open={isOpen || undefined}>
      <summary>
        <Icon name="chevron" size={16} />
        {title}
        {count > 0 && (
          <span class="badge accent">
            {count}
            <span class="only-heard"> set</span>
          </span>
        )}
      </summary>
      <div class="stack">{children}</div>
    </details>
  );
}
