import anyAscii from "any-ascii";

/** Pattern and the replacement for each match. */
type Rule = readonly [
  pattern: RegExp,
  replacement: string | ((match: string, ...groups: string[]) => string),
];

/**
 * Rules for what any-ascii misses because it maps one character at a time: letters whose sound depends on
 * their neighbours, and unwritten vowels. They are applied in order, before any-ascii, to lower-case text in
 * NFKC form.
 */

const CYRILLIC: readonly Rule[] = [
  // In Bulgarian this letter is a vowel. In Russian it only occurs at the end of a word or before е, ё, ю and
  // я.
  [/ъ(?=[^еёюя\P{L}])/gu, "a"],
  [/ё/g, "yo"],
];

/** Greek letter pairs (ISO 843, ELOT 743). */
const GREEK: readonly Rule[] = [
  [/ο[υύ]/g, "ou"],
  [/([αεη])[υύ](?=[θκξπσςτφχψ]|(?!\p{L}))/gu, "$1f"],
  [/([αεη])[υύ]/g, "$1v"],
  [/γ(?=[γξχ])/g, "n"],
  [/(?<!\p{L})μπ/gu, "b"],
];

/** Hebrew. Without vowel points, vav and yod inside a word are mostly vowels. */
const HEBREW: readonly Rule[] = [
  [/ש([\u05b0-\u05bc\u05c7]*)\u05c2/g, "s$1"],
  [/ש([\u05b0-\u05bc\u05c7]*)\u05c1?/g, "sh$1"],
  [/(?<![\p{L}\p{M}])ב|ב(?=[\u05b0-\u05bb\u05c7]*\u05bc)/gu, "b"],
  [/(?<![\p{L}\p{M}])כ|כ(?=[\u05b0-\u05bb\u05c7]*\u05bc)/gu, "k"],
  [/(?<![\p{L}\p{M}])פ|פ(?=[\u05b0-\u05bb\u05c7]*\u05bc)/gu, "p"],
  [/[אע](?![וי\u05b0-\u05bb\u05c7])/g, "a"],
  [/(?<=\p{L})י(?![אהוי\u05b0-\u05bb\u05c7])/gu, "i"],
  [/וו/g, "v"],
  [/ו\u05bc/g, "u"],
  [/ו\u05b9|(?<=\p{L})ו(?![\u05b0-\u05bb\u05c7])/gu, "o"],
  [/(?<=\p{L})ה(?![\p{L}\p{M}])/gu, "a"],
];

/** Arabic. Short vowels aren't written. Waw and ya inside a word are mostly long vowels. */
const ARABIC: readonly Rule[] = [
  [/الله/g, "allah"],
  // Article "al".
  [/(?<![\p{L}\p{M}])ال(?=\p{L}{2})/gu, "al "],
  [/(?<=\p{L})و(?!ا)/gu, "u"],
  [/(?<=\p{L})[يی](?![اة])/gu, "i"],
  [/ع(?!ا)/g, "a"],
  [/[اأآٱة]/g, "a"],
  [/إ/g, "i"],
];

const DEVANAGARI_CONSONANT = "[\u0915-\u0939\u0958-\u095f]\u093c?";
const DEVANAGARI_VOWEL_SIGN = "[\u093a\u093b\u093e-\u094f\u0955-\u0957\u0962\u0963]";

/** Devanagari. A consonant without a vowel sign is followed by "a", except at the end of a Hindi word. */
const DEVANAGARI: readonly Rule[] = [
  [new RegExp(`(${DEVANAGARI_CONSONANT})(?!\u093c|${DEVANAGARI_VOWEL_SIGN})(?=[\\p{L}\\p{M}])`, "gu"), "$1a"],
  // Words that end in several consonants keep their "a", as in "mitra", and so do single-letter words.
  [
    new RegExp(
      `((?:\u094d|(?<![\\p{L}\\p{M}]))${DEVANAGARI_CONSONANT})(?!\u093c|${DEVANAGARI_VOWEL_SIGN})(?![\\p{L}\\p{M}])`,
      "gu",
    ),
    "$1a",
  ],
  [/ज\u093c/g, "z"],
  [/फ\u093c/g, "f"],
  [/च/g, "ch"],
  [/[शष]/g, "sh"],
  [/[\u090b\u0943]/g, "ri"],
  [/[\u0901\u0902](?![प-म])/g, "n"],
];

/** Japanese kana in Hepburn spelling. */
const KANA: readonly Rule[] = [
  [/([\p{sc=Hira}\p{sc=Kana}])([ゃゅょぁぃぇぉャュョァィェォ])/gu, (_, kana, small) => joinKana(kana, small)],
  [/[っッ]([\p{sc=Hira}\p{sc=Kana}a-z])/gu, (_, next) => `${doubleConsonant(anyAscii(next))}${next}`],
];

/** Chinese characters. Each is a syllable and becomes a separate word. */
const HAN: readonly Rule[] = [
  [/(\p{sc=Han})々/gu, "$1$1"],
  [/\p{sc=Han}/gu, " $& "],
];

const RULES = [...CYRILLIC, ...GREEK, ...HEBREW, ...ARABIC, ...DEVANAGARI, ...KANA, ...HAN];

/**
 * Converts text in any script to ASCII letters. Chinese characters get their Mandarin reading, even in
 * Japanese text. The text must be lower case and in NFKC form. The result can contain capitals, apostrophes
 * and punctuation.
 */
export function romanize(text: string): string {
  return anyAscii(
    RULES.reduce((result, [pattern, replacement]) => replace(result, pattern, replacement), text),
  );
}

/**
 * Calls `replaceAll`. Its type declaration has separate overloads for a string and a function, and none for
 * their union.
 */
function replace(text: string, pattern: RegExp, replacement: Rule[1]): string {
  return typeof replacement === "string"
    ? text.replaceAll(pattern, replacement)
    : text.replaceAll(pattern, replacement);
}

/** Combines a kana and the following small kana into one syllable: き and ょ to "kyo", ふ and ぁ to "fa". */
function joinKana(kana: string, small: string): string {
  const syllable = anyAscii(kana);
  const sound = anyAscii(small);
  if (syllable.length === 1) return syllable === "u" ? `w${sound}` : `${syllable}${sound}`;
  const consonant = syllable.slice(0, -1);
  return /(?:sh|ch|j)$/.test(consonant) ? `${consonant}${sound.slice(-1)}` : `${consonant}${sound}`;
}

/** Returns the letter that a small tsu adds before a syllable: its consonant, or "t" before "ch". */
function doubleConsonant(syllable: string): string {
  const [first = ""] = syllable;
  return first === "c" ? "t" : first;
}
