import { applyTheme, readTheme } from "./session/theme-choice.ts";

/**
 * Sets the stored theme. Loaded in the page's head and blocks rendering, so that the page isn't painted in
 * the wrong theme.
 */
applyTheme(readTheme());
