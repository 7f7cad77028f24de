import { useRef, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { DayField } from "../../components/day-field.tsx";
import fieldCss from "../../components/field.module.css";
import { Check, Select, TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Radios } from "../../components/radios.tsx";
import { SecretDialog } from "../../components/secret-dialog.tsx";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { asFault } from "../../data/calls.ts";
import { KEY_NAME_MAX_LENGTH } from "../../data/service-limits.ts";
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

type KeyFaults = Partial<Record<"name" | "scopes" | "expires_at", string | undefined>>;

/** Panel that creates a key and then shows it once. */
export function KeyPanel() {
  const [name, setName] = useState("");
  const [preset, setPreset] = useState<Preset>("read");
  const [custom, setCustom] = useState<readonly string[]>(["links:read"]);
  const [term, setTerm] = useState<Term>("never");
  const [day, setDay] = useState("");
  const [faults, setFaults] = useState<KeyFaults>({});
  const [made, setMade] = useState<MadeKey | null>(null);
  // Remembers the expiry of each combination of inputs. An expiry derives from the current time, so computing
  // it again would change the request body, and a retry with the same `Idempotency-Key` would fail.
  const ends = useRef(new Map<string, string | null>());
  const getAttemptKey = useAttemptKey();
  const scopes = listPresetScopes(preset, custom);

  const save = async () => {
    const missing: KeyFaults = {
      ...(name.trim() === "" && { name: "Enter a name, such as the app that will use the key." }),
      ...(scopes.length === 0 && { scopes: "Choose at least one scope." }),
      ...(term === "day" && day === "" && { expires_at: "Choose an expiry date." }),
    };
    setFaults(missing);
    if (Object.keys(missing).length > 0) return;
    const body = { name: name.trim(), scopes: scopes as NewKey["scopes"] };
    const choice = JSON.stringify([body, term, day]);
    if (!ends.current.has(choice)) ends.current.set(choice, getTermEnd(term, day, Date.now()));
    try {
      const expires_at = ends.current.get(choice) ?? null;
      setMade(await createKey({ ...body, expires_at }, getAttemptKey(choice)));
    } catch (thrown) {
      const found = asFault(thrown).fields as KeyFaults;
      if (Object.keys(found).length === 0) throw thrown;
      setFaults(found);
    }
  };

  if (made !== null) {
    return (
      <SecretDialog title={`${made.name} created`} secret={made.key} what="API key" onClose={close}>
        <p class="small muted">Try it out:</p>
        <CodeBlock what="example request" text={buildFirstCall(made)} />
      </SecretDialog>
    );
  }
  return (
    <FormDialog kind="panel" title="New API key" submit="Create key" onSubmit={save} onClose={close}>
      <TextField
        label="Name"
        placeholder="Shop"
        hint="Shown in the audit log for everything this key does."
        maxLength={KEY_NAME_MAX_LENGTH}
        autocomplete="off"
        autoFocus
        error={faults.name}
        value={name}
        onInput={(value) => {
          setName(value);
          setFaults({ ...faults, name: undefined });
        }}
      />
      <Radios label="Access" choices={PRESET_CHOICES} value={preset} onChange={setPreset} />
      {preset === "custom" ? (
        <ScopeChoice chosen={custom} onChange={setCustom} />
      ) : (
        <p class="small muted">
          {scopes[0] === ALL_SCOPES ? "Scope " : "Scopes "}
          <code>{scopes.join(", ")}</code>
        </p>
      )}
      {faults.scopes && (
        <p class={fieldCss.error} data-ui="field-error" role="alert">
          <Icon name="alert" size={15} />
          {faults.scopes}
        </p>
      )}
      <Select
        label="Expires"
        choices={TERMS.map((value) => ({ value, label: TERM_NAMES[value] }))}
        value={term}
        error={faults.expires_at}
        onChange={setTerm}
      />
      {term === "day" && <DayField label="Expiry date" value={day} onChange={setDay} />}
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
