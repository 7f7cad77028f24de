// Pure: no I/O, clock or randomness.
import { formatCount } from "../../../core/format-count.ts";
import type { LinkDraft } from "./link-draft.ts";
import { formatMoment } from "./rules/rule-texts.ts";
import { readUtm, UTM_FIELDS } from "./utm.ts";

/** One-line summaries of the form's sections. They are empty if nothing is set. */

const SEPARATOR = " · ";

/** Summarises the campaign parameters of the destination. */
export function summarizeCampaign({ destination }: LinkDraft): string {
  return join(UTM_FIELDS.map(({ name }) => readUtm(destination, name)));
}

/** Summarises the start, the expiry and the scan limit. */
export function summarizeSchedule(draft: LinkDraft, timeZone: string): string {
  const { startsAt, expiresAt, maxScans, expiredUrl } = draft;
  return join([
    startsAt !== "" && `from ${formatMoment(startsAt, timeZone)}`,
    expiresAt !== "" && `until ${formatMoment(expiresAt, timeZone)}`,
    maxScans.trim() !== "" && formatLimit(maxScans.trim()),
    expiredUrl.trim() !== "" && "then redirects",
  ]);
}

/**
 * Summarises the password, the button and the forwarding of parameters. A `password` of null means that it is unchanged.
 */
export function summarizeAccess(
  { password, confirm, forwardQuery }: LinkDraft,
  hasPassword: boolean,
): string {
  const isProtected = password === null ? hasPassword : password !== "";
  return join([
    isProtected && "password",
    confirm && "asks before opening",
    forwardQuery && "forwards parameters",
  ]);
}

/** Summarises the link preview. */
export function summarizePreview({ previewTitle, previewDescription, previewImage }: LinkDraft): string {
  return join([previewTitle.trim() || previewDescription.trim(), previewImage.trim() !== "" && "image"]);
}

/** Summarises the status and the note. */
export function summarizeMore({ enabled, archived, note }: LinkDraft): string {
  return join([!enabled && "disabled", archived && "archived", note.trim().split("\n", 1)[0]]);
}

/** Formats a scan limit. It may be typed text that isn't a number. */
function formatLimit(typed: string): string {
  return Number.isNaN(Number(typed)) ? typed : formatCount(Number(typed), "scan");
}

function join(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(SEPARATOR);
}
