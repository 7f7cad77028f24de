// Pure: no I/O, clock or randomness.

/** Sections of the settings, in display order. */
export const SETTINGS_SECTIONS = [
  { name: "workspace", title: "Workspace" },
  { name: "usage", title: "Usage" },
  { name: "domains", title: "Domains" },
  { name: "reports", title: "Shared reports" },
  { name: "keys", title: "API keys" },
  { name: "people", title: "Members" },
  { name: "sessions", title: "Sessions" },
  { name: "trash", title: "Trash" },
  { name: "audit", title: "Audit log" },
] as const;

export type SettingsSection = (typeof SETTINGS_SECTIONS)[number]["name"];

/** Returns the section of a path. `/settings` and unknown sections show the first one. */
export function readSection(path: string): SettingsSection {
  const name = path.split("/")[2];
  return SETTINGS_SECTIONS.find((section) => section.name === name)?.name ?? SETTINGS_SECTIONS[0].name;
}
