// Pure: no I/O, clock or randomness.
import type { Faults } from "../../forms/form-fields.ts";
import type { PageDraft } from "./page-draft.ts";

/** Tabs of the page editor, and which of them contains the field of an error. */

/** Tabs in display order. The first is the default. */
export const EDITOR_TABS = ["content", "design", "sharing", "visits"] as const;

export type EditorTab = (typeof EDITOR_TABS)[number];

const LABELS: Readonly<Record<EditorTab, string>> = {
  content: "Content",
  design: "Design",
  sharing: "Sharing",
  visits: "Analytics",
};

/** Tab and block that contain the field of an error. */
export interface FaultLocation {
  tab: EditorTab;
  /** Index of the block. Null if the error isn't in a block. */
  block: number | null;
}

/** Finds the tab, and the block if any, of the first error in tab order. Null without errors. */
export function findFaultLocation(faults: Faults, draft: PageDraft): FaultLocation | null {
  const fields = Object.keys(faults).filter((field) => faults[field]);
  const tabs = fields.map((field) => findTab(field));
  const tab = EDITOR_TABS.find((name) => tabs.includes(name));
  if (tab === undefined) return null;
  const keys = fields.map((field) => field.split(".", 1)[0]);
  const index = draft.blocks.findIndex(({ key }) => keys.includes(key));
  return { tab, block: tab === "content" && index >= 0 ? index : null };
}

/** Returns the label of a tab, with the number of its errors. */
export function formatTabLabel(name: EditorTab, faults: Faults): string {
  const count = Object.keys(faults).filter((field) => faults[field] && findTab(field) === name).length;
  return count === 0 ? LABELS[name] : `${LABELS[name]} (${count} to fix)`;
}

function findTab(field: string): EditorTab {
  if (/^(?:theme|style)\b/.test(field)) return "design";
  return /^(?:seo|lang)\b/.test(field) ? "sharing" : "content";
}

/** Fields of the form that can show an error. */
const FIELDS =
  /^(?:title|description|avatar_url|avatar_alt|lang|style\.(?:accent|background|text)|seo\.(?:title|description|image_url)|[bsn]\d+\.(?:label|url|starts_at|ends_at|network))$/;

/** Returns true if the form shows the error of a field. All other errors are shown above the form. */
export function hasField(field: string): boolean {
  return FIELDS.test(field);
}
