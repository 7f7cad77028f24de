/** Choice of a theme, kept in the browser. */

export const THEMES = ["system", "light", "dark"] as const;

export type ThemeChoice = (typeof THEMES)[number];

const STORAGE_KEY = "signpost-theme";

/** Reads the stored choice. The default is that of the system. */
export function readTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // Browsers that block storage follow the system.
    return "system";
  }
}

/** Shows the page in a theme. */
export function applyTheme(theme: ThemeChoice): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Stores a choice for later visits. */
export function storeTheme(theme: ThemeChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // The choice lasts until the page is closed.
  }
}
