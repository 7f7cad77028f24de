import { useState } from "preact/hooks";
import { setQuery } from "../../address/address.ts";
import { copyText } from "../../components/copy-text.ts";
import { showToast } from "../../components/toast-list.ts";
import { useAttemptKey } from "../../data/attempt-key.ts";
import { type Form, fillForm, useForm } from "../../forms/use-form.ts";
import { EMPTY_DRAFT, LINK_FORM, type LinkChange, type LinkDraft, toDraft } from "./link-draft.ts";
import { createWarned, type Link, type NewLink, showNewLink, updateWarned } from "./link-store.ts";
import { placeRuleFaults, type RuleFaults } from "./rules/rule-faults.ts";

/** Form of a link. */
export interface LinkForm extends Form<LinkDraft> {
  /** Errors of single rules, by rule key. */
  ruleFaults: Readonly<Record<string, RuleFaults>>;
  clearRuleFaults(key: string): void;
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
  const [ruleFaults, setRuleFaults] = useState<Record<string, RuleFaults>>({});
  const getAttemptKey = useAttemptKey();
  const create = async (change: LinkChange): Promise<undefined> => {
    const body = buildNewLink(change);
    const { link: created, warning } = await createWarned(body, getAttemptKey(JSON.stringify(body)));
    showNewLink(created);
    setQuery({ link: created.id, url: null });
    showToast(warning ?? `/${created.short_code} created`, {
      label: "Copy",
      run: () => void copyText(created.short_url),
    });
  };
  const update = async ({ id }: Link, change: LinkChange, draft: LinkDraft) => {
    const shown: Partial<Link> = {
      destination: change.url ?? draft.destination,
      title: draft.title || null,
      labels: draft.labels,
    };
    const { link: stored, warning } = await updateWarned(id, change, shown);
    onSaved(stored);
    showToast(warning === null ? "Saved" : `Saved, but ${warning}`);
    return toDraft(stored);
  };
  const form = useForm({
    spec: LINK_FORM,
    saved: link === null ? EMPTY_DRAFT : toDraft(link),
    filled: destination === null ? {} : { destination },
    keep: { id, reopen: () => setQuery({ link: id }, { push: true }) },
    save: (change, draft) => {
      setRuleFaults({});
      return link === null ? create(change) : update(link, change, draft);
    },
    onFaults: (fields, draft) => {
      setQuery({ tab: null });
      setRuleFaults(placeRuleFaults(fields, draft.rules));
    },
    close: closePanel,
  });
  const clearRuleFaults = (key: string) => setRuleFaults(({ [key]: _, ...others }) => others);
  return { ...form, ruleFaults, clearRuleFaults };
}

/** Opens the panel for a new link with the fields of an existing one, except its short code and its password. */
export function duplicateLink(link: Link): void {
  fillForm("new", { ...toDraft(link), slug: "", enabled: true, archived: false });
  setQuery({ link: "new" }, { push: true });
}

export function closePanel(): void {
  setQuery({ link: null, url: null, tab: null, as: null });
}

/** Returns the request body of a new link: without nulls, which mean "not set". */
function buildNewLink({ url = "", ...others }: LinkChange): NewLink {
  const given = Object.entries(others).filter(([, value]) => value !== null);
  return { url, ...Object.fromEntries(given) };
}
