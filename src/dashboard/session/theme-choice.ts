/** Stores and applies the chosen theme in the browser. */

export const THEMES = ["system", "light", "dark"] as const;

export type ThemeChoice = (typeof THEMES)[number];

const STORAGE_KEY = "signpost-theme";

/** Reads the stored theme. The default is the system theme. */
export function readTheme(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    // Browsers that block storage use the system theme.
    return "system";
  }
}

/** Applies a theme to the page. */
export function applyTheme(theme: ThemeChoice): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Stores the theme for later visits. */
export function storeTheme(theme: ThemeChoice): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
}
