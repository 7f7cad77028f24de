import { useEffect, useRef, useState } from "preact/hooks";
import { showToast } from "../../components/toast-list.ts";
import type { Faults } from "../../forms/form-fields.ts";
import { type Saving, useSave } from "../../forms/use-save.ts";
import { canEdit, workspace } from "../../session/session.ts";
import { type Page, updateBioPage } from "../pages/page-store.ts";
import { keepDraft, readDraft } from "./draft-storage.ts";
import { beginHistory, recordEdit, redoEdit, replacePresent, undoEdit } from "./edit-history.ts";
import { hasField } from "./editor-tabs.ts";
import { diffPages, isChange, type PageDraft, placeFaults, rebaseDraft, toDraft } from "./page-draft.ts";

/** State of the page form, and the functions to change, undo and save it. */
export interface PageForm extends Omit<Saving<HTMLDivElement>, "run" | "clear"> {
  draft: PageDraft;
  warnings: readonly string[];
  isChanged: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /**
   * Changes the form. `field` names the changed field, so that continued typing is one undo step. An empty
   * string always starts a new step.
   */
  edit(field: string, change: (draft: PageDraft) => PageDraft): void;
  undo(): void;
  redo(): void;
  /** Resets the form to the saved page. This is one step and can be undone. */
  discard(): void;
  /** Saves all changes. Resolves with the page, or null if that fails. */
  save(): Promise<Page | null>;
}

/**
 * Manages the form of a page. If others change the page in the meantime, their changes appear in all fields
 * that the user hasn't edited.
 */
export function usePageForm(page: Page, onFaults: (faults: Faults, draft: PageDraft) => void): PageForm {
  const key = `${workspace.peek()?.slug}/${page.id}`;
  const [base, setBase] = useState(page);
  const [history, setHistory] = useState(() => beginHistory(readDraft(key) ?? toDraft(page)));
  const { element, isBusy, fault, faults, clear, run } = useSave<HTMLDivElement>();
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const draft = history.present;
  const current = useRef(draft);
  current.current = draft;
  const saved = toDraft(base);
  const isChanged = isChange(diffPages(saved, draft));

  useEffect(() => {
    if (page === base) return;
    setBase(page);
    setHistory((before) => replacePresent(before, rebaseDraft(page, saved, before.present)));
  }, [page]);
  useEffect(() => keepDraft(key, isChanged ? draft : null), [draft, isChanged]);
  useEffect(() => {
    if (!isChanged) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isChanged]);

  const edit: PageForm["edit"] = (field, change) => {
    setHistory((before) => recordEdit(before, change(before.present), field, Date.now()));
    clear([field]);
  };
  const save = async () => {
    if (!canEdit.peek()) return null;
    if (!isChanged) return base;
    const sent = current.current;
    const send = async () => {
      const { page: changed, warnings } = await updateBioPage(base.id, diffPages(saved, sent));
      setBase(changed);
      setWarnings(warnings);
      setHistory((before) => replacePresent(before, rebaseDraft(changed, sent, before.present)));
      return changed;
    };
    return run(send, (fields) => {
      const placed = placeFaults(fields, sent);
      onFaults(placed, sent);
      const names = Object.keys(placed);
      return { faults: placed, isComplete: names.length > 0 && names.every(hasField) };
    });
  };
  const discard = () => {
    edit("", () => saved);
    clear(Object.keys(faults));
    showToast("Changes discarded", { label: "Undo", run: () => setHistory(undoEdit) });
  };
  return {
    element,
    draft,
    faults,
    fault,
    warnings,
    isChanged,
    isBusy,
    edit,
    save,
    discard,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => setHistory(undoEdit),
    redo: () => setHistory(redoEdit),
  };
}
