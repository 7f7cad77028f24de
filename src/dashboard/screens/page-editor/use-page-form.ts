import { useEffect, useRef, useState } from "preact/hooks";
import { showToast } from "../../components/toast-list.ts";
import type { CallError } from "../../data/call-error.ts";
import { asFault } from "../../data/calls.ts";
import { canEdit, workspace } from "../../session/session.ts";
import { type Page, updateBioPage } from "../pages/page-store.ts";
import { keepDraft, readDraft } from "./draft-storage.ts";
import { beginHistory, recordEdit, redoEdit, replacePresent, undoEdit } from "./edit-history.ts";
import { hasField } from "./editor-tabs.ts";
import {
  diffPages,
  isChange,
  type PageDraft,
  type PageFaults,
  placeFaults,
  rebaseDraft,
  toDraft,
} from "./page-draft.ts";

/** State of the page form, and the functions to change, undo and save it. */
export interface PageForm {
  draft: PageDraft;
  faults: PageFaults;
  /** Error that no field shows, or null. */
  fault: CallError | null;
  warnings: readonly string[];
  isChanged: boolean;
  isBusy: boolean;
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
export function usePageForm(page: Page, onFaults: (faults: PageFaults, draft: PageDraft) => void): PageForm {
  const key = `${workspace.peek()?.slug}/${page.id}`;
  const [base, setBase] = useState(page);
  const [history, setHistory] = useState(() => beginHistory(readDraft(key) ?? toDraft(page)));
  const [faults, setFaults] = useState<PageFaults>({});
  const [fault, setFault] = useState<CallError | null>(null);
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
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
    if (faults[field]) setFaults({ ...faults, [field]: "" });
  };
  const save = async () => {
    if (isBusy || !canEdit.peek()) return null;
    if (!isChanged) return base;
    const sent = current.current;
    setBusy(true);
    setFault(null);
    setFaults({});
    try {
      const { page: changed, warnings } = await updateBioPage(base.id, diffPages(saved, sent));
      setBase(changed);
      setWarnings(warnings);
      setHistory((before) => replacePresent(before, rebaseDraft(changed, sent, before.present)));
      return changed;
    } catch (thrown) {
      const failure = asFault(thrown);
      const placed = placeFaults(failure.fields, sent);
      setFaults(placed);
      const fields = Object.keys(placed);
      setFault(fields.length > 0 && fields.every(hasField) ? null : failure);
      onFaults(placed, sent);
      return null;
    } finally {
      setBusy(false);
    }
  };
  const discard = () => {
    edit("", () => saved);
    setFaults({});
    showToast("Changes discarded", { label: "Undo", run: () => setHistory(undoEdit) });
  };
  return {
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
