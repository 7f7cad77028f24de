import type { IconName } from "../components/icon.tsx";

/** Entry of the command palette. */
export interface PaletteEntry {
  /** Unique in the palette. */
  key: string;
  group: "Screens" | "Actions" | "Links";
  label: string;
  icon: IconName;
  /** Text after the label, such as the destination of a link. */
  detail?: string | undefined;
  /** Shortcut for the same. */
  keys?: string | undefined;
  run: () => void;
}

/**
 * Returns the entries whose labels contain every typed word, in any case. Entries whose label begins with the typed
 * text come first within their group.
 */
export function matchEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const text = typed.trim().toLowerCase();
  const words = text.split(/\s+/);
  const found = entries.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  const rank = ({ label }: PaletteEntry) => Number(!label.toLowerCase().startsWith(text));
  return found
    .map((entry, index) => ({ entry, index }))
    .sort((a, b) => groupOf(a.entry) - groupOf(b.entry) || rank(a.entry) - rank(b.entry) || a.index - b.index)
    .map(({ entry }) => entry);
}

const GROUPS = ["Screens", "Actions", "Links"] as const;

function groupOf({ group }: PaletteEntry): number {
  return GROUPS.indexOf(group);
}
