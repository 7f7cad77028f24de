import { type PageDraft, toDraft } from "./page-draft.ts";

/** Forms with changes that are not saved. They outlive the screen, a reload and a sign-in, but not the tab. */

const PREFIX = "signpost-page:";

/** Keeps a form. Null forgets it. */
export function keepDraft(key: string, draft: PageDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(PREFIX + key);
    else sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
  } catch {
    // Without storage, or with a full one, the form lives as long as the screen.
  }
}

/** Returns the form that was kept, or null. */
export function readDraft(key: string): PageDraft | null {
  try {
    const text = sessionStorage.getItem(PREFIX + key);
    if (text === null) return null;
    const empty = toDraft({ title: "", description: "", page_data: {} });
    return { ...empty, ...(JSON.parse(text) as PageDraft) };
  } catch {
    return null;
  }
}
