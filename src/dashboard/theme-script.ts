import { applyTheme, readTheme } from "./session/theme-choice.ts";

/** Script in the head of the page. It blocks rendering until the stored theme is set. */
applyTheme(readTheme());
