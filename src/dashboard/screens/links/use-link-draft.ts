import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { copyText } from "../../components/copy-text.ts";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import type { CallError } from "../../data/call-error.ts";
import { asFault } from "../../data/calls.ts";
import { canEdit, workspace } from "../../session/session.ts";
import {
  type DraftFaults,
  diffDrafts,
  EMPTY_DRAFT,
  type LinkChange,
  type LinkDraft,
  placeFaults,
  rebaseDraft,
  toDraft,
} from "./link-draft.ts";
import { createWarned, type Link, type NewLink, showNewLink, updateWarned } from "./link-store.ts";
import { findDraftFaults, placeRuleFaults, type RuleFaults } from "./rules/rule-faults.ts";

/** Drafts of panels closed without saving, by workspace and link, for the next time they are opened. */
const drafts = new Map<string, LinkDraft>();

/** State of a link's form, and the functions to change and save it. */
export interface LinkForm {
  draft: LinkDraft;
  /** Form state of the link as stored. */
  saved: LinkDraft;
  faults: DraftFaults;
  /** Errors of single rules, by rule key. */
  ruleFaults: Readonly<Record<string, RuleFaults>>;
  /** Error that doesn't belong to any field, or null. */
  fault: CallError | null;
  isBusy: boolean;
  isChanged: boolean;
  element: RefObject<HTMLFormElement | null>;
  edit(changed: Partial<LinkDraft>): void;
  forgetRuleFaults(key: string): void;
  save(): Promise<void>;
  /** Takes over a link that was changed elsewhere. Fields that the user has edited keep their values. */
  accept(link: Link): void;
  /** Keeps the draft and closes the panel. */
  leave(): void;
}

interface LinkFormOptions {
  /** Id of the link, or `new`. */
  id: string;
  /** Null for a new link. */
  link: Link | null;
  /** Destination to fill in for a new link, or null. */
  destination: string | null;
  onSaved: (link: Link) => void;
}

/** Manages the form of a link until it is saved. */
export function useLinkDraft({ id, link, destination, onSaved }: LinkFormOptions): LinkForm {
  const key = `${workspace.peek()?.slug}/${id}`;
  const saved = link === null ? EMPTY_DRAFT : toDraft(link);
  const [draft, setDraft] = useState<LinkDraft>(() => ({
    ...(drafts.get(key) ?? saved),
    ...(destination !== null && { destination }),
  }));
  const [faults, setFaults] = useState<DraftFaults>({});
  const [ruleFaults, setRuleFaults] = useState<Record<string, RuleFaults>>({});
  const [fault, setFault] = useState<CallError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const getAttemptKey = useAttemptKey();
  const element = useRef<HTMLFormElement>(null);
  const change = diffDrafts(saved, draft);
  const isChanged = Object.keys(change).length > 0 || draft.slug !== saved.slug;

  const edit = (changed: Partial<LinkDraft>) => {
    setDraft((before) => ({ ...before, ...changed }));
    const names = Object.keys(changed) as (keyof LinkDraft)[];
    setFaults((before) => ({ ...before, ...Object.fromEntries(names.map((name) => [name, undefined])) }));
  };
  const accept = (stored: Link) => {
    onSaved(stored);
    setDraft((typed) => rebaseDraft(saved, typed, toDraft(stored)));
  };
  const leave = () => {
    if (isChanged && !isBusy) {
      drafts.set(key, draft);
      showToast("Not saved. Your changes are still here.", {
        label: "Continue editing",
        run: () => setQuery({ link: id }, { push: true }),
      });
    }
    closePanel();
  };
  const showFaults = (failure: CallError) => {
    setQuery({ tab: null });
    const placed = placeFaults(failure.fields);
    const ofRules = placeRuleFaults(failure.fields, draft.rules);
    // Errors of single rules are shown next to the rule, and not above all rules.
    const { rules, ...others } = placed;
    const isRuleOnly = Object.keys(ofRules).length > 0;
    setFaults(isRuleOnly ? others : placed);
    setRuleFaults(ofRules);
    setFault(Object.keys(placed).length === 0 ? failure : null);
    showFault(element);
  };
  const save = async () => {
    if (isBusy || !canEdit.peek()) return;
    const local = findDraftFaults(draft.rules);
    setRuleFaults(local);
    setFault(null);
    if (Object.keys(local).length > 0) {
      setQuery({ tab: null });
      return showFault(element);
    }
    setBusy(true);
    try {
      await (link === null ? create() : update(link));
      drafts.delete(key);
    } catch (thrown) {
      showFaults(asFault(thrown));
    }
    setBusy(false);
  };
  const create = async () => {
    const body = buildNewLink(change, draft.slug.trim());
    const { link: created, warning } = await createWarned(body, getAttemptKey(JSON.stringify(body)));
    showNewLink(created);
    setQuery({ link: created.id, url: null });
    showToast(warning ?? `/${created.short_code} created`, {
      label: "Copy",
      run: () => void copyText(created.short_url),
    });
  };
  const update = async ({ id }: Link) => {
    const shown: Partial<Link> = {
      destination: change.url ?? draft.destination,
      title: draft.title || null,
      labels: draft.labels,
    };
    const { link: stored, warning } = await updateWarned(id, change, shown);
    onSaved(stored);
    setDraft(toDraft(stored));
    showToast(warning === null ? "Saved" : `Saved, but ${warning}`);
  };
  const forgetRuleFaults = (ruleKey: string) => setRuleFaults(({ [ruleKey]: _, ...others }) => others);
  return {
    draft,
    saved,
    faults,
    ruleFaults,
    fault,
    isBusy,
    isChanged,
    element,
    edit,
    forgetRuleFaults,
    save,
    accept,
    leave,
  };
}

/** Opens the panel for a new link with the fields of an existing one, except its short code and its password. */
export function duplicateLink(link: Link): void {
  const copied = { ...toDraft(link), slug: "", enabled: true, archived: false };
  drafts.set(`${workspace.peek()?.slug}/new`, copied);
  setQuery({ link: "new" }, { push: true });
}

export function closePanel(): void {
  setQuery({ link: null, url: null, tab: null, as: null });
}

/** Returns the request body of a new link: without nulls, which mean "not set". */
function buildNewLink({ url = "", ...others }: LinkChange, slug: string): NewLink {
  const given = Object.entries(others).filter(([, value]) => value !== null);
  return { url, ...(slug !== "" && { custom_slug: slug }), ...Object.fromEntries(given) };
}

/** Focuses the first field with an error. If no field has one, scrolls to the notice above the fields. */
function showFault(form: RefObject<HTMLFormElement | null>): void {
  const show = () => {
    const field = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (field) field.focus();
    else form.current?.querySelector("[data-ui=notice]")?.scrollIntoView({ block: "nearest" });
  };
  // The first animation frame renders the opened rule, so that the field with the error exists in the second.
  requestAnimationFrame(() => requestAnimationFrame(show));
}
