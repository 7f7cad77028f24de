import type { IconName } from "../components/icon.tsx";

/** Groups of the command palette, in their order. */
export const GROUPS = ["Screens", "Actions", "Links"] as const;

/** Entry of the command palette. */
export interface PaletteEntry {
  /** Unique in the palette. */
  key: string;
  group: (typeof GROUPS)[number];
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
  const rankGroup = ({ group }: PaletteEntry) => GROUPS.indexOf(group);
  const rankLabel = ({ label }: PaletteEntry) => Number(!label.toLowerCase().startsWith(text));
  return found.sort((a, b) => rankGroup(a) - rankGroup(b) || rankLabel(a) - rankLabel(b));
}
