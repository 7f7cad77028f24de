// Pure: no I/O, clock or randomness.
import { UTM_FIELDS, type UtmName, writeUtm } from "./utm.ts";

/** Computes what an edit of many links changes, for its preview and its calls. */

/** Edit of many links. */
export type Edit =
  | { kind: "campaign"; values: Readonly<Partial<Record<UtmName, string>>> }
  | { kind: "replace"; find: string; replacement: string }
  | { kind: "expiry"; expiresAt: string | null };

/** Fields of a link that edits read. */
interface EditedLink {
  destination: string;
  expires_at: string | null;
}

/** Returns the change of a link, or null if the edit doesn't change it. */
export function planEdit({ destination, expires_at }: EditedLink, edit: Edit): Partial<EditedLink> | null {
  if (edit.kind === "expiry") return edit.expiresAt === expires_at ? null : { expires_at: edit.expiresAt };
  const changed = edit.kind === "campaign" ? addCampaign(destination, edit) : replaceAll(destination, edit);
  return changed === destination ? null : { destination: changed };
}

/** Sets the parameters that have a value. The others keep theirs. */
function addCampaign(destination: string, { values }: Extract<Edit, { kind: "campaign" }>): string {
  return UTM_FIELDS.reduce((url, { name }) => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? url : writeUtm(url, name, value);
  }, destination);
}

function replaceAll(text: string, { find, replacement }: Extract<Edit, { kind: "replace" }>): string {
  return find === "" ? text : text.split(find).join(replacement);
}
