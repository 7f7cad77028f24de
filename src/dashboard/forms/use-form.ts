import { useState } from "preact/hooks";
import { showToast } from "../components/toast-list.ts";
import { CallError } from "../data/call-error.ts";
import { workspace } from "../session/session.ts";
import {
  diffDrafts,
  type Faults,
  type FaultsOf,
  type FormSpec,
  pickChanged,
  placeFaults,
} from "./form-fields.ts";
import { type Saving, useSave } from "./use-save.ts";

/** Changed fields of forms that were closed without saving, by workspace and form. */
const kept = new Map<string, object>();

/** Names of fields whose value is text. */
type TextName<Draft> = { [Name in keyof Draft]: Draft[Name] extends string ? Name : never }[keyof Draft];

/** State of a form, and the functions to change and save it. */
export interface Form<Draft> extends Omit<Saving<HTMLFormElement>, "run" | "clear" | "faults"> {
  draft: Draft;
  faults: FaultsOf<Draft>;
  isChanged: boolean;
  edit(changed: Partial<Draft>): void;
  /** Returns the properties that connect a text input to a field. */
  text<Name extends TextName<Draft>>(name: Name): TextProps<Draft[Name]>;
  save(): Promise<void>;
  /** Takes over state that was changed elsewhere. Edited fields keep their values. */
  accept(stored: Draft): void;
  /** Closes the form. Changes are kept for the next time if the form has `keep`. */
  leave(): void;
}

interface TextProps<Value> {
  value: Value;
  error: string | undefined;
  onInput: (value: Value) => void;
}

interface FormOptions<Draft, Body> {
  spec: FormSpec<Draft, Body>;
  /** State as stored, or of an empty form. */
  saved: Draft;
  /** Values to fill in at the start. */
  filled?: Partial<Draft>;
  /** Keeps changes when the form is closed. `id` identifies the form in the workspace. */
  keep?: { id: string; reopen: () => void };
  /** Sends the changes. May return the state that is stored then. */
  save: (change: Body, draft: Draft) => Promise<Draft | undefined>;
  /** Called with the errors of a failed attempt, by path of the request body. */
  onFaults?: (fields: Faults, draft: Draft) => void;
  close: () => void;
}

/** Fills in a form the next time it is opened, as if its changes were kept. `id` identifies the form in the workspace. */
export function fillForm(id: string, draft: object): void {
  kept.set(`${workspace.peek()?.slug}/${id}`, draft);
}

/** Manages a form until it is saved or closed. */
export function useForm<Draft extends object, Body extends object>(
  options: FormOptions<Draft, Body>,
): Form<Draft> {
  const { spec, saved, filled, keep, onFaults, close } = options;
  const key = `${workspace.peek()?.slug}/${keep?.id}`;
  const [draft, setDraft] = useState<Draft>(() => ({ ...saved, ...(keep && kept.get(key)), ...filled }));
  const { run, clear, faults, ...saving } = useSave();
  const change = diffDrafts(spec, saved, draft);
  const isChanged = Object.keys(change).length > 0;

  const edit = (changed: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    clear(Object.keys(changed));
  };
  const send = async () => {
    const fields = spec.check?.(draft) ?? {};
    if (Object.keys(fields).length > 0) {
      const message = "Correct the marked fields.";
      throw new CallError({ kind: "invalid", code: "VALIDATION_ERROR", message, fields });
    }
    const stored = await options.save(change, draft);
    kept.delete(key);
    // Keeps what was typed while the request was running.
    if (stored) setDraft((typed) => ({ ...stored, ...pickChanged(spec, draft, typed) }));
  };
  const place = (fields: Faults) => {
    onFaults?.(fields, draft);
    return placeFaults(spec, draft, fields);
  };
  const leave = () => {
    if (keep && isChanged && !saving.isBusy) {
      kept.set(key, pickChanged(spec, saved, draft));
      showToast("Not saved. Your changes are still here.", { label: "Continue editing", run: keep.reopen });
    } else {
      kept.delete(key);
    }
    close();
  };
  return {
    ...saving,
    faults: faults as FaultsOf<Draft>,
    draft,
    isChanged,
    edit,
    text: (name) => ({
      value: draft[name],
      error: faults[name as string],
      onInput: (value) => edit({ [name]: value } as unknown as Partial<Draft>),
    }),
    save: async () => void (await run(send, place)),
    accept: (stored) => setDraft((typed) => ({ ...stored, ...pickChanged(spec, saved, typed) })),
    leave,
  };
}
