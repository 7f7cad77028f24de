// Pure: no I/O, clock or randomness.
import { formatCount } from "../../core/format-count.ts";
import { importPasswordHash } from "../../core/password-hash.ts";
import { toIso } from "../../core/time.ts";
import {
  MAX_SCANS_MAX,
  PASSWORD_MAX_LENGTH,
  PASSWORD_MIN_LENGTH,
  PREVIEW_DESCRIPTION_MAX_LENGTH,
  PREVIEW_TITLE_MAX_LENGTH,
} from "../../links/link-limits.ts";
import { cleanCode, fitCode, readCode } from "./fit-code.ts";
import { fitDestination, toFormerUrl } from "./fit-destination.ts";
import { fitRules } from "./fit-rules.ts";
import { type Fitted, fitLabels, fitNote, fitText, fitTitle } from "./fit-texts.ts";
import { cutText, type ForeignLink, type Moment, quote, RowError } from "./foreign-link.ts";
import type { ImportRow, InvalidRow } from "./import-row.ts";
import { parseMoment } from "./moments.ts";

/** Last time that ISO 8601 can express with a four-digit year. */
const LAST_MS = Date.UTC(10_000, 0) - 1;

/** Row being converted: its link, and the adjustments made so far. */
interface Draft {
  link: ImportRow["link"];
  notes: string[];
  nowMs: number;
}

/** Converts another service's link to a link that can be created here. Notes list changes and losses. */
export function fitLink(foreign: ForeignLink, nowMs: number): ImportRow | InvalidRow {
  const { line } = foreign;
  const formerUrl = toFormerUrl(foreign.formerUrl ?? "");
  const code = cleanCode(foreign.slug ?? "") ?? (formerUrl === null ? null : readCode(formerUrl));
  const draft: Draft = { link: {}, notes: [...(foreign.notes ?? [])], nowMs };
  try {
    if (foreign.problem) throw new RowError(foreign.problem);
    addUrl(draft, foreign.url);
    addCode(draft, code, formerUrl !== null || foreign.needsSlug === true);
    addTexts(draft, foreign);
    addTimes(draft, foreign);
    addScans(draft, foreign);
    addGuards(draft, foreign);
    close(draft, foreign);
  } catch (error) {
    if (error instanceof RowError)
      return { line, formerUrl, code: foreign.problem ? null : code, problem: error.message };
    throw error;
  }
  return { line, formerUrl, link: draft.link, notes: draft.notes };
}

/** Adds the notes of a converted value to the row's notes, and returns the value. */
function keep<Value>({ notes }: Draft, fitted: Fitted<Value>): Value {
  notes.push(...fitted.notes);
  return fitted.value;
}

function addUrl({ link, notes }: Draft, given: string): void {
  if (given.trim() === "") throw new RowError("has no destination");
  const fitted = fitDestination(given);
  if ("problem" in fitted) throw new RowError(`the destination ${quote(given)} ${fitted.problem}`);
  link.url = fitted.url;
  if (fitted.note !== null) notes.push(fitted.note);
}

function addCode({ link, notes }: Draft, code: string | null, isNeeded: boolean): void {
  if (code !== null) {
    Object.assign(link, fitCode(code));
    if (link.aliases !== undefined) notes.push("its code can't be a short code here, so it is an alias");
  } else if (isNeeded) {
    throw new RowError("is the root link of a domain; set it in the domain's settings instead");
  }
}

function addTexts(draft: Draft, { title, note, labels, archived, rules }: ForeignLink): void {
  const { link } = draft;
  const fittedTitle = keep(draft, fitTitle(title ?? ""));
  if (fittedTitle !== null) link.title = fittedTitle;
  const fittedNote = keep(draft, fitNote(note ?? ""));
  if (fittedNote !== null) link.note = fittedNote;
  const fittedLabels = keep(draft, fitLabels(labels ?? []));
  if (fittedLabels.length > 0) link.labels = fittedLabels;
  const fittedRules = keep(draft, fitRules(rules ?? []));
  if (fittedRules.length > 0) link.routing_rules = fittedRules;
  if (archived === true) link.archived = true;
}

function addTimes(draft: Draft, { createdAt, startsAt, expiresAt }: ForeignLink): void {
  const { link, notes, nowMs } = draft;
  const createdMs = readMoment(draft, "creation time", createdAt);
  if (createdMs !== null && createdMs > nowMs)
    notes.push("creation time ignored because it is in the future");
  else if (createdMs !== null) link.created_at = toIso(createdMs);
  const startsMs = readMoment(draft, "start", startsAt);
  if (startsMs !== null) link.starts_at = toIso(startsMs);
  const expiresMs = readMoment(draft, "expiry", expiresAt);
  if (expiresMs !== null) link.expires_at = toIso(expiresMs);
}

/**
 * Returns a time in Unix milliseconds. A time that can't be parsed or isn't between 1970 and 9999 is left out
 * with a note.
 */
function readMoment({ notes }: Draft, name: string, moment: Moment | null | undefined): number | null {
  if (moment === null || moment === undefined || moment === "") return null;
  const timeMs = typeof moment === "number" ? Math.floor(moment) : parseMoment(moment);
  if (timeMs !== null && timeMs >= 0 && timeMs <= LAST_MS) return timeMs;
  const problem = timeMs === null ? "is not a valid time" : "is not between 1970 and 9999";
  notes.push(`its ${name} ${quote(String(moment))} ${problem}, so it was ignored`);
  return null;
}

function addScans(draft: Draft, { scans, maxScans }: ForeignLink): void {
  const { link, notes } = draft;
  const former = readCount(draft, "previous scan count", scans) ?? 0;
  if (former > 0) link.imported_scans = former;
  const total = readCount(draft, "scan limit", maxScans);
  if (total === null) return;
  const left = total - former;
  if (left <= 0) {
    closeLink(draft, `has reached its limit of ${formatCount(total, "scan")}`);
    return;
  }
  link.max_scans = Math.min(left, MAX_SCANS_MAX);
  if (left < total)
    notes.push(`${left} of its ${total} allowed scans are left, so ${left} is the scan limit here`);
}

/** Parses a whole number, optionally with commas between thousands. Other text is left out with a note. */
function readCount({ notes }: Draft, name: string, given: string | number | null | undefined): number | null {
  const text = String(given ?? "").trim();
  if (text === "") return null;
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(",", "") : text;
  const count = /^\d{1,16}$/.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  notes.push(`its ${name} ${quote(text)} was ignored because it is not a whole number`);
  return null;
}

function addGuards(draft: Draft, foreign: ForeignLink): void {
  const { link } = draft;
  const { password, passwordHash, earlyUrl, expiredUrl, forwardQuery, confirm, preview } = foreign;
  if (password) link.password = checkPassword(password);
  if (passwordHash) link.password_hash = checkHash(passwordHash);
  const fittedEarly = readAddress(draft, "destination before start", earlyUrl);
  if (fittedEarly !== null) link.early_url = fittedEarly;
  const fittedExpired = readAddress(draft, "destination after expiry", expiredUrl);
  if (fittedExpired !== null) link.expired_url = fittedExpired;
  if (forwardQuery === true) link.forward_query = true;
  if (confirm === true) link.confirm = true;
  const previewTitle = keep(draft, fitText("preview title", preview?.title ?? "", PREVIEW_TITLE_MAX_LENGTH));
  if (preview === undefined || previewTitle === null) return;
  link.preview = {
    title: previewTitle,
    description: keep(
      draft,
      fitText("preview description", preview.description, PREVIEW_DESCRIPTION_MAX_LENGTH),
    ),
    image_url: readAddress(draft, "preview image", preview.imageUrl),
  };
}

/** Returns the password. Throws {@link RowError} for an invalid one, so that the link isn't left open. */
function checkPassword(password: string): string {
  const isShort = cutText(password, PASSWORD_MIN_LENGTH - 1) === password;
  const isLong = cutText(password, PASSWORD_MAX_LENGTH) !== password;
  if (isShort || isLong || /\p{Cc}/u.test(password)) {
    throw new RowError(
      `its password must have ${PASSWORD_MIN_LENGTH} to ${PASSWORD_MAX_LENGTH} characters on one line; choose a different one`,
    );
  }
  return password;
}

/** Returns the password hash. Throws {@link RowError} if passwords can't be checked against this hash. */
function checkHash(hash: string): string {
  if (importPasswordHash(hash) !== null) return hash;
  throw new RowError("its password hash has an unsupported format; set a new password");
}

function readAddress({ notes }: Draft, name: string, given: string | null | undefined): string | null {
  if (given === null || given === undefined || given.trim() === "") return null;
  const fitted = fitDestination(given);
  if ("url" in fitted) return fitted.url;
  notes.push(`its ${name} ${quote(given)} ${fitted.problem}, so it was ignored`);
  return null;
}

function close(draft: Draft, { closed }: ForeignLink): void {
  if (closed) closeLink(draft, closed);
}

/**
 * Expires a link that no longer redirects at the other service, because new links can't be created disabled.
 * Uses the creation time as the expiry, so that a repeated import sends the same request.
 */
function closeLink({ link, notes }: Draft, reason: string): void {
  link.expires_at = link.created_at ?? toIso(0);
  notes.push(`it ${reason}, so it is imported as expired`);
}
