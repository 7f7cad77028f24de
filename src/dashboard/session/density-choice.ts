import { signal } from "@preact/signals";

/** Height of the rows in lists, which is kept in the person's browser. */

const STORAGE_KEY = "signpost-rows";

/** True if lists show more rows, each in one line. */
export const isCompact = signal(readCompact());

function readCompact(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "compact";
  } catch {
    return false;
  }
}

/** Chooses the height and stores it for later visits. */
export function chooseCompact(choice: boolean): void {
  isCompact.value = choice;
  try {
    localStorage.setItem(STORAGE_KEY, choice ? "compact" : "normal");
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
}
