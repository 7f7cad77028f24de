import { useRef, useState } from "preact/hooks";
import { DAY_MS } from "../../core/time.ts";
import { PASSWORD_MAX_LENGTH } from "../../links/link-limits.ts";
import buttonCss from "../components/button.module.css";
import { Button } from "../components/button.tsx";
import { Combobox } from "../components/combobox.tsx";
import { CopyButton } from "../components/copy-button.tsx";
import { DayField } from "../components/day-field.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Select, TextField } from "../components/field.tsx";
import secretDialogCss from "../components/secret-dialog.module.css";
import { useAttemptKey } from "../data/attempt-key.ts";
import { REPORT_TITLE_MAX_LENGTH } from "../data/service-limits.ts";
import { FormDialog } from "../forms/form-dialog.tsx";
import type { FormSpec } from "../forms/form-fields.ts";
import { useForm } from "../forms/use-form.ts";
import { knownLabels } from "../screens/links/link-store.ts";
import { createReport, type NewReport, type SharedReport } from "./report-store.ts";
import type { ShareSubject } from "./sharing.ts";

const SPANS = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
  { value: "365", label: "Last 365 days" },
  { value: "dates", label: "Custom dates" },
] as const;

const TERMS = [
  { value: "never", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
] as const;

interface ReportDraft {
  title: string;
  label: string;
  span: (typeof SPANS)[number]["value"];
  /** First and last day of custom dates, or empty. */
  from: string;
  to: string;
  term: (typeof TERMS)[number]["value"];
  password: string;
}

/** Fields of the form. Errors of the range are shown below it. */
const FORM: FormSpec<ReportDraft, object> = {
  fields: {
    title: ({ title }) => ({ title }),
    label: ({ label }) => ({ label }),
    span: ({ span, from, to }) => ({ range: [span, from, to] }),
    from: ({ span, from, to }) => ({ range: [span, from, to] }),
    to: ({ span, from, to }) => ({ range: [span, from, to] }),
    term: ({ term }) => ({ expires_at: term }),
    password: ({ password }) => ({ password }),
  },
  places: { links: "title" },
  check: ({ title, span, from, to }) => ({
    ...(title.trim() === "" && { title: "Enter a title. Everyone who opens the report sees it." }),
    ...(span === "dates" && (from === "" || to === "") && { range: "Choose a start date and an end date." }),
  }),
};

interface ShareDialogProps {
  subject: ShareSubject;
  onClose: () => void;
}

/** Dialog that shares a report, and then shows its URL. */
export default function ShareDialog({ subject, onClose }: ShareDialogProps) {
  const [shared, setShared] = useState<SharedReport | null>(null);
  // Remembers the expiry of each choice, because a retry must send the same body.
  const ends = useRef(new Map<string, string>());
  const getAttemptKey = useAttemptKey();
  const form = useForm<ReportDraft, object>({
    spec: FORM,
    saved: {
      ...{ title: subject.title, label: subject.label, span: "30", from: "", to: "" },
      ...{ term: "never", password: "" },
    },
    save: async (_, draft) => {
      const { term } = draft;
      if (term !== "never" && !ends.current.has(term)) {
        ends.current.set(term, new Date(Date.now() + Number(term) * DAY_MS).toISOString());
      }
      const body = buildReport(draft, subject, ends.current.get(term) ?? null);
      setShared(await createReport(body, getAttemptKey(JSON.stringify(body))));
      return undefined;
    },
    close: onClose,
  });
  if (shared !== null) return <SharedDialog report={shared} onClose={onClose} />;
  const { draft, faults, edit } = form;
  return (
    <FormDialog title="Share report" form={form} submit="Create report" takesUnchanged>
      <p class="small muted">
        Everyone who has the URL can see the scans, without an account. They see short URLs and titles, but no
        destinations.
      </p>
      {subject.linkIds === null && subject.label === "" && (
        <Combobox
          label="Label"
          hint="The report shows all links that have this label."
          options={knownLabels.value.map((label) => ({ value: label, label }))}
          values={draft.label === "" ? [] : [draft.label]}
          takesNew
          error={faults.label}
          onChange={([label = ""]) =>
            edit({ label, ...((draft.title === "" || draft.title === draft.label) && { title: label }) })
          }
        />
      )}
      <TextField
        label="Title"
        maxLength={REPORT_TITLE_MAX_LENGTH}
        autocomplete="off"
        {...form.text("title")}
      />
      <Select
        label="Period"
        choices={SPANS}
        value={draft.span}
        error={faults.span ?? faults.from}
        hint={draft.span === "dates" ? "Days are in UTC." : "Moves with the day, in UTC."}
        onChange={(span) => edit({ span })}
      />
      {draft.span === "dates" && (
        <div class="row wrap">
          <DayField label="From" value={draft.from} onChange={(from) => edit({ from })} />
          <DayField label="To" value={draft.to} onChange={(to) => edit({ to })} />
        </div>
      )}
      <Select
        label="Expires"
        choices={TERMS}
        value={draft.term}
        error={faults.term}
        onChange={(term) => edit({ term })}
      />
      <TextField
        label="Password"
        hint="Optional. Visitors must enter it to see the report."
        autocomplete="off"
        maxLength={PASSWORD_MAX_LENGTH}
        {...form.text("password")}
      />
    </FormDialog>
  );
}

function SharedDialog({ report, onClose }: { report: SharedReport; onClose: () => void }) {
  return (
    <Dialog
      title="Report shared"
      onClose={onClose}
      foot={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div class="stack">
        <p class="small">Send this URL to the people who may see the report.</p>
        {report.url !== null && (
          <div class={secretDialogCss.secret} data-ui="secret">
            <code>{report.url}</code>
            <CopyButton text={report.url} what="report URL" hasText />
          </div>
        )}
        <p class="small muted">
          You can copy it again, or revoke the report, in{" "}
          <a href="/settings/reports" onClick={onClose}>
            Settings → Shared reports
          </a>
          .
        </p>
        {report.url !== null && (
          <p>
            <a class={buttonCss.button} data-ui="button" href={report.url} target="_blank" rel="noopener">
              Open report
            </a>
          </p>
        )}
      </div>
    </Dialog>
  );
}

function buildReport(
  { title, label, span, from, to, password }: ReportDraft,
  { linkIds }: ShareSubject,
  end: string | null,
): NewReport {
  return {
    title: title.trim(),
    ...(linkIds === null ? { label } : { links: [...linkIds] }),
    range: span === "dates" ? { from_date: from, to_date: to } : { days: Number(span) },
    expires_at: end,
    ...(password !== "" && { password }),
  };
}
