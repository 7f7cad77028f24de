import { useRef, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { DayField } from "../../components/day-field.tsx";
import fieldCss from "../../components/field.module.css";
import { Check, Select, TextField } from "../../components/field.tsx";
import { Icon } from "../../components/icon.tsx";
import { Radios } from "../../components/radios.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { formatZone, readMachineZone } from "../../components/time-field.tsx";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { KEY_NAME_MAX_LENGTH } from "../../data/service-limits.ts";
import { FormDialog } from "../../forms/form-dialog.tsx";
import type { FormSpec } from "../../forms/form-fields.ts";
import { useForm } from "../../forms/use-form.ts";
import { ALL_SCOPES, listPresetScopes, type Preset, SCOPE_GROUPS } from "./key-scopes.ts";
import { getTermEnd, TERMS, type Term } from "./key-state.ts";
import { createKey, type MadeKey, type NewKey } from "./key-store.ts";

const PRESET_CHOICES = [
  { value: "read", label: "Read only", hint: "Can view everything but change nothing. For reporting." },
  {
    value: "ci",
    label: "Links as code",
    hint: "Can view and change links and render QR codes. For CI and imports.",
  },
  {
    value: "full",
    label: "Full access",
    hint: "All scopes, including ones added later. Can't manage API keys.",
  },
  { value: "custom", label: "Custom", hint: "Only the scopes your app needs." },
] as const satisfies { value: Preset; label: string; hint: string }[];

const TERM_NAMES: Record<Term, string> = {
  never: "Never",
  "30": "In 30 days",
  "90": "In 90 days",
  "365": "In 1 year",
  day: "Custom date",
};

interface KeyDraft {
  name: string;
  preset: Preset;
  /** Scopes of the preset "custom". */
  custom: readonly string[];
  term: Term;
  /** Expiry date of the term "day", or empty. */
  day: string;
}

const EMPTY_DRAFT: KeyDraft = { name: "", preset: "read", custom: ["links:read"], term: "never", day: "" };

/** Fields of the form. Errors of scopes and of the expiry are shown by the first field that writes them. */
const FORM: FormSpec<KeyDraft, object> = {
  fields: {
    name: ({ name }) => ({ name }),
    custom: ({ preset, custom }) => ({ scopes: listPresetScopes(preset, custom) }),
    preset: ({ preset, custom }) => ({ scopes: listPresetScopes(preset, custom) }),
    term: ({ term, day }) => ({ expires_at: [term, day] }),
    day: ({ term, day }) => ({ expires_at: [term, day] }),
  },
  check: ({ name, preset, custom, term, day }) => ({
    ...(name.trim() === "" && { name: "Enter a name, such as the app that will use the key." }),
    ...(listPresetScopes(preset, custom).length === 0 && { scopes: "Choose at least one scope." }),
    ...(term === "day" && day === "" && { expires_at: "Choose an expiry date." }),
  }),
};

/** Panel that creates a key and then shows it once. */
export function KeyPanel() {
  const [made, setMade] = useState<MadeKey | null>(null);
  // Remembers the expiry of each combination of inputs. An expiry derives from the current time, so computing
  // it again would change the request body, and a retry with the same `Idempotency-Key` would fail.
  const ends = useRef(new Map<string, string | null>());
  const getAttemptKey = useAttemptKey();
  const form = useForm({
    spec: FORM,
    saved: EMPTY_DRAFT,
    save: async (_, { name, preset, custom, term, day }) => {
      const scopes = listPresetScopes(preset, custom) as NewKey["scopes"];
      const body = { name: name.trim(), scopes };
      const choice = JSON.stringify([body, term, day]);
      if (!ends.current.has(choice)) ends.current.set(choice, getTermEnd(term, day, Date.now()));
      setMade(
        await createKey({ ...body, expires_at: ends.current.get(choice) ?? null }, getAttemptKey(choice)),
      );
    },
    close,
  });
  const { draft, faults, edit } = form;
  const { preset, custom, term } = draft;
  const scopes = listPresetScopes(preset, custom);

  if (made !== null) {
    return (
      <SecretDialog title={`${made.name} created`} secret={made.key} what="API key" onClose={close}>
        <p class="small muted">Try it out:</p>
        <CodeBlock what="example request" text={buildFirstCall(made)} />
      </SecretDialog>
    );
  }
  return (
    <FormDialog kind="panel" title="New API key" form={form} submit="Create key" takesUnchanged>
      <TextField
        label="Name"
        placeholder="Shop"
        hint="Shown in the audit log for everything this key does."
        maxLength={KEY_NAME_MAX_LENGTH}
        autocomplete="off"
        autoFocus
        {...form.text("name")}
      />
      <Radios
        label="Access"
        choices={PRESET_CHOICES}
        value={preset}
        onChange={(chosen) => edit({ preset: chosen, custom })}
      />
      {preset === "custom" ? (
        <ScopeChoice chosen={custom} onChange={(chosen) => edit({ custom: chosen })} />
      ) : (
        <p class="small muted">
          {scopes[0] === ALL_SCOPES ? "Scope " : "Scopes "}
          <code>{scopes.join(", ")}</code>
        </p>
      )}
      {faults.custom && (
        <p class={fieldCss.error} data-ui="field-error" role="alert">
          <Icon name="alert" size={15} />
          {faults.custom}
        </p>
      )}
      <Select
        label="Expires"
        choices={TERMS.map((value) => ({ value, label: TERM_NAMES[value] }))}
        value={term}
        error={faults.term}
        hint={
          term === "day"
            ? `The key works until the end of this day in ${formatZone(readMachineZone())}.`
            : undefined
        }
        onChange={(chosen) => edit({ term: chosen })}
      />
      {term === "day" && (
        <DayField label="Expiry date" value={draft.day} onChange={(day) => edit({ term, day })} />
      )}
    </FormDialog>
  );
}

interface ScopeChoiceProps {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  return (
    <div class={fieldCss.eventGroups}>
      {SCOPE_GROUPS.map(({ title, scopes }) => (
        <fieldset key={title} class="stack tight" aria-label={title}>
          <span class="small muted" aria-hidden="true">
            {title}
          </span>
          {scopes.map(({ scope, text }) => (
            <Check
              key={scope}
              label={text}
              hint={<code>{scope}</code>}
              isChecked={chosen.includes(scope)}
              onChange={(isChosen) =>
                onChange(isChosen ? [...chosen, scope] : chosen.filter((other) => other !== scope))
              }
            />
          ))}
        </fieldset>
      ))}
    </div>
  );
}

/** Returns a sample request that the key is allowed to make. */
function buildFirstCall({ key, scopes }: MadeKey): string {
  const canRead = scopes.includes(ALL_SCOPES) || scopes.includes("links:read");
  const path = canRead ? "/v1/links?limit=1" : "/v1/workspace";
  return `curl '${findApiOrigin()}${path}' \\\n  -H 'Authorization: Bearer ${key}'`;
}

/** Returns the origin of the API. In local development, it has the same port and the host without `app.`. */
function findApiOrigin(): string {
  const { protocol, host } = location;
  return host.startsWith("app.localhost") ? `${protocol}//${host.slice("app.".length)}` : "$SIGNPOST_API_URL";
}

function close(): void {
  setQuery({ panel: null });
}
