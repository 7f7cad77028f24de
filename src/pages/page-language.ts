// Pure: no I/O, clock or randomness.

/**
 * Language of each script that is mostly used for one language, or whose direction matters more than the
 * exact language. Latin and Cyrillic are left out because too many languages use them.
 */
const LANGUAGE_BY_SCRIPT: readonly (readonly [RegExp, string])[] = [
  [/^\p{Script=Arabic}/u, "ar"],
  [/^\p{Script=Hebrew}/u, "he"],
  [/^\p{Script=Thaana}/u, "dv"],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/^\p{Script=Hangul}/u, "ko"],
  [/^\p{Script=Han}/u, "zh"],
  [/^\p{Script=Greek}/u, "el"],
  [/^\p{Script=Thai}/u, "th"],
];

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const DEFAULT_LANGUAGE = "en";

/** Primary subtags of languages that are written from right to left. */
const RIGHT_TO_LEFT = new Set(["ar", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"]);

/**
 * Guesses a page's language from the script of the title's first letter (Unicode Standard Annex #24), for
 * pages whose owner set no language. Titles that mix Han characters and kana are Japanese.
 */
export function guessLanguage(title: string): string {
  const letters = title.replace(/^\P{L}+/u, "");
  const language = LANGUAGE_BY_SCRIPT.find(([script]) => script.test(letters))?.[1] ?? DEFAULT_LANGUAGE;
  return language === "zh" && KANA.test(letters) ? "ja" : language;
}

/** Returns true if a BCP 47 tag names a language that is written from right to left. */
export function isRightToLeft(tag: string): boolean {
  return RIGHT_TO_LEFT.has(tag.toLowerCase().split("-", 1)[0] as string);
}
