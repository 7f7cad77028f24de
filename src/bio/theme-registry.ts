// Pure: no I/O, clock or randomness.
import type { Theme } from "./theme-types.ts";
import { auto } from "./themes/auto.ts";
import { contrast } from "./themes/contrast.ts";
import { ink } from "./themes/ink.ts";
import { mono } from "./themes/mono.ts";
import { paper } from "./themes/paper.ts";
import { sunrise } from "./themes/sunrise.ts";

/** Themes by name. */
export const THEMES: ReadonlyMap<string, Theme> = new Map(
  Object.entries({ auto, paper, ink, sunrise, mono, contrast }),
);

/** Returns the theme with a name, or `auto` if the name is unknown. */
export function getTheme(name: string | undefined): Theme {
  return THEMES.get(name ?? "") ?? auto;
}
