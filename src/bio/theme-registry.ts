import type { Theme } from "./theme-types.ts";
import { auto } from "./themes/auto.ts";
import { contrast } from "./themes/contrast.ts";
import { ink } from "./themes/ink.ts";
import { mono } from "./themes/mono.ts";
import { paper } from "./themes/paper.ts";
import { sunrise } from "./themes/sunrise.ts";

/** The designs that a page can have. */
export const THEMES: ReadonlyMap<string, Theme> = new Map(
  Object.entries({ auto, paper, ink, sunrise, mono, contrast }),
);

/** The theme of a name; `auto` for a name that is none. */
export function themeNamed(name: string | undefined): Theme {
  return THEMES.get(name ?? "") ?? auto;
}
