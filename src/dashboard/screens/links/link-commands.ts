import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { type Link, updateLink } from "./link-store.ts";

/** Actions for a single link that need no form. Each can be undone. */

/** Enables, disables, archives or unarchives a link. `done` is the past participle for the message. */
export async function toggleLink(
  link: Link,
  change: { enabled?: boolean; archived?: boolean },
  done: string,
): Promise<void> {
  const { id, short_code: code, enabled, archived } = link;
  const back = change.enabled === undefined ? { archived } : { enabled };
  try {
    await updateLink(id, change, change);
    showToast(`/${code} ${done}`, {
      label: "Undo",
      run: () => void updateLink(id, back, back).catch(showFault),
    });
  } catch (fault) {
    showFault(fault);
  }
}

/** Shows the message of an error in a toast. */
export function showFault(fault: unknown): void {
  showToast(asFault(fault).message);
}
