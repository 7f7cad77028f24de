import type { ComboOption } from "../../components/combobox-options.ts";

/** Languages of pages, by BCP 47 tag. */

/** Languages that are offered. Any other tag can be typed. */
const TAGS = (
  "ar bg bn ca cs cy da de de-AT de-CH el en en-GB en-US es es-MX et eu fa fi fr fr-CA ga gl he hi hr hu id is it ja ka ko " +
  "lt lv mk ms nb nl pl pt pt-BR ro ru sk sl sq sr sv sw ta th tr uk ur vi zh-Hans zh-Hant"
).split(" ");

const names = new Intl.DisplayNames(["en-GB"], { type: "language" });

/** Returns the English name of a language, or its tag if there is none. */
export function getLanguageName(tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Options of the language picker, sorted by name. */
export const LANGUAGE_OPTIONS: readonly ComboOption[] = TAGS.map((value) => ({
  value,
  label: getLanguageName(value),
})).sort((a, b) => a.label.localeCompare(b.label));
