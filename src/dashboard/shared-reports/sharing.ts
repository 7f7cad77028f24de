import { signal } from "@preact/signals";
import { formatCount } from "../../core/format-count.ts";

/** Links that a report is shared on, with its suggested title. Without links, the user chooses a label. */
export interface ShareSubject {
  title: string;
  linkIds: readonly string[] | null;
  label: string;
}

/** Subject of the open dialog, or null. */
export const sharing = signal<ShareSubject | null>(null);

/** Opens the dialog that shares a report on links. */
export function shareLinks(links: readonly { id: string; title: string | null; short_code: string }[]): void {
  const [first] = links;
  const title =
    links.length === 1 && first ? (first.title ?? `/${first.short_code}`) : formatCount(links.length, "link");
  sharing.value = { title, linkIds: links.map(({ id }) => id), label: "" };
}

/** Opens the dialog that shares a report on a label. An empty label is chosen in the dialog. */
export function shareLabel(label: string): void {
  sharing.value = { title: label, linkIds: null, label };
}
