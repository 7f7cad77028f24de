// Pure: no I/O, clock or randomness.
import { LABEL_MAX_LENGTH, LABELS_MAX, NOTE_MAX_LENGTH, TITLE_MAX_LENGTH } from "../../links/link-limits.ts";
import { cutText, quote } from "./foreign-link.ts";

/** Converted value, and the adjustments made during conversion. */
export interface Fitted<Value> {
  value: Value;
  notes: string[];
}

/** Shortens a title to one line of the maximum length. Returns null if there is no visible text. */
export function fitTitle(text: string): Fitted<string | null> {
  return fitText("title", text.replace(/\p{Cc}+/gu, " "), TITLE_MAX_LENGTH);
}

/** Shortens a note to the maximum length. Returns null if it is empty. */
export function fitNote(text: string): Fitted<string | null> {
  return fitText("note", text, NOTE_MAX_LENGTH);
}

/** Shortens a text to a maximum length, and adds a note about that. The note calls the text `name`. */
export function fitText(name: string, text: string, lengthMax: number): Fitted<string | null> {
  const trimmed = text.toWellFormed().trim();
  if (trimmed === "") return { value: null, notes: [] };
  const cut = cutText(trimmed, lengthMax);
  if (cut === trimmed) return { value: trimmed, notes: [] };
  return {
    value: cut.trimEnd(),
    notes: [`the ${name} was shortened to ${lengthMax} characters`],
  };
}

/** Removes duplicate labels, shortens each label, and limits their number. */
export function fitLabels(labels: readonly string[]): Fitted<string[]> {
  const notes: string[] = [];
  const fitting = new Set<string>();
  for (const label of labels) {
    const { value, notes: cuts } = fitText(`label ${quote(label)}`, label, LABEL_MAX_LENGTH);
    notes.push(...cuts);
    if (value !== null) fitting.add(value);
  }
  const value = [...fitting].slice(0, LABELS_MAX);
  const rest = fitting.size - value.length;
  if (rest > 0) notes.push(`a link can have at most ${LABELS_MAX} labels, so ${rest} more were left out`);
  return { value, notes };
}
