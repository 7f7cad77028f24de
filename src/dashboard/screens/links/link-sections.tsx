import { NOTE_MAX_LENGTH } from "../../../links/link-limits.ts";
import fieldCss from "../../components/field.module.css";
import { Check, TextArea, TextField } from "../../components/field.tsx";
import { shownZone, TimeField, TimeZoneField } from "../../components/time-field.tsx";
import { Section } from "./link-section.tsx";
import { summarizeAccess, summarizeCampaign, summarizeMore, summarizeSchedule } from "./link-summary.ts";
import { PreviewFields } from "./preview-fields.tsx";
import { RulesField } from "./rules/rules-field.tsx";
import type { LinkForm } from "./use-link-draft.ts";
import { UtmBuilder } from "./utm-builder.tsx";

interface SectionsProps {
  form: LinkForm;
  isNew: boolean;
  hasPassword: boolean;
}

/** Collapsible sections of the form: rules, and settings that few links need. */
export function LinkSections({ form, isNew, hasPassword }: SectionsProps) {
  const { draft, faults, ruleFaults, edit } = form;
  return (
    <div class="stack">
      <RulesField
        rules={draft.rules}
        faults={ruleFaults}
        error={Object.keys(ruleFaults).length === 0 ? faults.rules : undefined}
        destination={draft.destination}
        onChange={(rules) => edit({ rules })}
        onEdit={form.clearRuleFaults}
      />
      <Section title="Campaign" summary={summarizeCampaign(draft)}>
        <p class={fieldCss.hint}>
          These UTM parameters are added to the destination URL, for the website's own analytics.
        </p>
        <UtmBuilder destination={draft.destination} onChange={(destination) => edit({ destination })} />
      </Section>
      <ScheduleSection form={form} />
      <AccessSection form={form} hasPassword={hasPassword} />
      <PreviewFields form={form} />
      <MoreSection form={form} isNew={isNew} />
    </div>
  );
}

function ScheduleSection({ form: { draft, faults, text } }: { form: LinkForm }) {
  const isFaulty = [
    faults.startsAt,
    faults.expiresAt,
    faults.maxScans,
    faults.earlyUrl,
    faults.expiredUrl,
  ].some(Boolean);
  return (
    <Section
      title="Schedule and scan limit"
      summary={summarizeSchedule(draft, shownZone.value)}
      isOpen={isFaulty}
    >
      <div class={fieldCss.pairs}>
        <TimeField label="Starts" {...text("startsAt")} />
        <TimeField label="Expires" {...text("expiresAt")} />
        <TimeZoneField />
        <TextField label="Scan limit" inputMode="numeric" placeholder="No limit" {...text("maxScans")} />
      </div>
      {(draft.startsAt !== "" || draft.earlyUrl !== "") && (
        <TextField
          label="Destination before start"
          hint="If empty, visitors see “Link not found” until the link starts."
          placeholder="https://example.com/soon"
          {...text("earlyUrl")}
        />
      )}
      <TextField
        label="Destination after expiry"
        hint="If empty, visitors see a page saying the link is no longer available."
        placeholder="https://example.com/expired"
        {...text("expiredUrl")}
      />
    </Section>
  );
}

function AccessSection({ form, hasPassword }: { form: LinkForm; hasPassword: boolean }) {
  const { draft, faults, edit } = form;
  return (
    <Section
      title="Access"
      summary={summarizeAccess(draft, hasPassword)}
      isOpen={Boolean(faults.password || faults.forwardQuery || faults.confirm)}
    >
      <TextField
        label="Password"
        type="password"
        autocomplete="new-password"
        placeholder={hasPassword ? "Unchanged" : "None"}
        hint="Visitors must enter it before they are redirected. At least 4 characters."
        value={draft.password ?? ""}
        error={faults.password}
        onInput={(password) => edit({ password: password === "" && hasPassword ? null : password })}
      />
      {hasPassword && (
        <Check
          label="Remove password"
          isChecked={draft.password === ""}
          onChange={(isRemoved) => edit({ password: isRemoved ? "" : null })}
        />
      )}
      <Check
        label="Ask before opening"
        hint="Visitors see a page with a button, so automated requests don't open the link or count as scans."
        isChecked={draft.confirm}
        onChange={(confirm) => edit({ confirm })}
      />
      <Check
        label="Forward query parameters"
        hint="Query parameters on the short URL are added to the destination."
        isChecked={draft.forwardQuery}
        onChange={(forwardQuery) => edit({ forwardQuery })}
      />
    </Section>
  );
}

function MoreSection({ form: { draft, faults, edit, text }, isNew }: { form: LinkForm; isNew: boolean }) {
  return (
    <Section
      title={isNew ? "Note" : "Status and note"}
      summary={summarizeMore(draft)}
      isOpen={Boolean(faults.note)}
    >
      {!isNew && (
        <>
          <Check
            label="Enabled"
            hint="A disabled link stops redirecting but keeps its short code."
            isChecked={draft.enabled}
            onChange={(enabled) => edit({ enabled })}
          />
          <Check
            label="Archived"
            hint="Hidden from lists, but still redirects."
            isChecked={draft.archived}
            onChange={(archived) => edit({ archived })}
          />
        </>
      )}
      <TextArea
        label="Note"
        maxLength={NOTE_MAX_LENGTH}
        placeholder="Anything your team should know about this link"
        {...text("note")}
      />
    </Section>
  );
}
