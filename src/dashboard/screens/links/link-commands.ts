import { formatCount } from "../../../core/format-count.ts";
import { deleteLater } from "../../components/delayed-deletion.ts";
import { showToast } from "../../components/toast-list.ts";
import { asFault } from "../../data/calls.ts";
import { DELETE_COMMAND, runCommand } from "./bulk-commands.ts";
import { deleteLink, type Link, updateLink } from "./link-store.ts";

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

/** Deletes links, with a button to undo it. They are deleted below the API's rate limit, unless the page closes. */
export function removeLinks(links: readonly Link[]): void {
  const [first] = links;
  const send = async (isLeaving: boolean) => {
    if (isLeaving) return void (await Promise.all(links.map(({ id }) => deleteLink(id, true))));
    const { failed, fault } = await runCommand(DELETE_COMMAND, links, () => {}, new AbortController().signal);
    if (failed > 0) throw fault;
  };
  const message =
    links.length === 1 ? `/${first?.short_code} deleted` : `${formatCount(links.length, "link")} deleted`;
  deleteLater({ ids: links.map(({ id }) => id), message, send });
}

/** Shows the message of an error in a toast. */
export function showFault(fault: unknown): void {
  showToast(asFault(fault).message);
}
