import type { LinkDraft } from "./link-draft.ts";
import { formatMoment } from "./rules/rule-words.ts";
import { readUtm, UTM_FIELDS } from "./utm.ts";

/** Words about what is set in the sections of the form, in a line each. Empty if nothing is. */

const SEPARATOR = " · ";

/** Returns the campaign parameters of the destination. */
export function summarizeCampaign({ destination }: LinkDraft): string {
  return join(UTM_FIELDS.map(({ name }) => readUtm(destination, name)));
}

/** Returns the times and the limit. */
export function summarizeSchedule(draft: LinkDraft, timeZone: string): string {
  const { startsAt, expiresAt, maxScans, expiredUrl } = draft;
  return join([
    startsAt !== "" && `from ${formatMoment(startsAt, timeZone)}`,
    expiresAt !== "" && `until ${formatMoment(expiresAt, timeZone)}`,
    maxScans.trim() !== "" && `${maxScans.trim()} ${maxScans.trim() === "1" ? "scan" : "scans"}`,
    expiredUrl.trim() !== "" && "then elsewhere",
  ]);
}

/** Returns who gets through, and what goes along. A password is null if it stays as it is. */
export function summarizeAccess({ password, forwardQuery }: LinkDraft, hasPassword: boolean): string {
  const isProtected = password === null ? hasPassword : password !== "";
  return join([isProtected && "password", forwardQuery && "forwards parameters"]);
}

/** Returns what previews show. */
export function summarizePreview({ previewTitle, previewDescription, previewImage }: LinkDraft): string {
  return join([previewTitle.trim() || previewDescription.trim(), previewImage.trim() !== "" && "image"]);
}

/** Returns the state and the note. */
export function summarizeMore({ enabled, archived, note }: LinkDraft): string {
  return join([!enabled && "disabled", archived && "archived", note.trim().split("\n", 1)[0]]);
}

function join(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(SEPARATOR);
}
