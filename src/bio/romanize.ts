import anyAscii from "any-ascii";

/** Pattern, and the text that replaces each match of it. */
type Rule = readonly [
  pattern: RegExp,
  replacement: string | ((match: string, ...groups: string[]) => string),
];

/**
 * The rules below are for what any-ascii cannot see, because it maps one character at a time: letters whose sound depends
 * on their neighbours, and vowels that are not written. They are applied in their order to lower-case text in the
 * normal form NFKC, before any-ascii.
 */

const CYRILLIC: readonly Rule[] = [
  // Bulgarian vowel. In Russian, the letter stands only at the end of a word or before е, ё, ю and я.
  [/ъ(?=[^еёюя\P{L}])/gu, "a"],
  [/ё/g, "yo"],
];

/** Greek pairs of letters (ISO 843, ELOT 743). */
const GREEK: readonly Rule[] = [
  [/ο[υύ]/g, "ou"],
  [/([αεη])[υύ](?=[θκξπσςτφχψ]|(?!\p{L}))/gu, "$1f"],
  [/([αεη])[υύ]/g, "$1v"],
  [/γ(?=[γξχ])/g, "n"],
  [/(?<!\p{L})μπ/gu, "b"],
];

/** Hebrew. Without points, the letters vav and yod inside a word are mostly vowels. */
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

/** Arabic. Short vowels are not written; waw and ya inside a word are mostly long vowels. */
const ARABIC: readonly Rule[] = [
  [/الله/g, "allah"],
  // The article.
  [/(?<![\p{L}\p{M}])ال(?=\p{L}{2})/gu, "al "],
  [/(?<=\p{L})و(?!ا)/gu, "u"],
  [/(?<=\p{L})[يی](?![اة])/gu, "i"],
  [/ع(?!ا)/g, "a"],
  [/[اأآٱة]/g, "a"],
  [/إ/g, "i"],
];

const DEVANAGARI_CONSONANT = "[\u0915-\u0939\u0958-\u095f]\u093c?";
const DEVANAGARI_VOWEL_SIGN = "[\u093a\u093b\u093e-\u094f\u0955-\u0957\u0962\u0963]";

/** Devanagari. A consonant without a vowel sign is followed by "a", except at the end of a word in Hindi. */
const DEVANAGARI: readonly Rule[] = [
  [new RegExp(`(${DEVANAGARI_CONSONANT})(?!\u093c|${DEVANAGARI_VOWEL_SIGN})(?=[\\p{L}\\p{M}])`, "gu"), "$1a"],
  // A word that ends in several consonants keeps its "a", as in "mitra", and so does a word of one letter.
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

/** Japanese kana in the spelling of Hepburn. */
const KANA: readonly Rule[] = [
  [/([\p{sc=Hira}\p{sc=Kana}])([ゃゅょぁぃぇぉャュョァィェォ])/gu, (_, kana, small) => joinKana(kana, small)],
  [/[っッ]([\p{sc=Hira}\p{sc=Kana}a-z])/gu, (_, next) => `${doubleConsonant(anyAscii(next))}${next}`],
];

/** Chinese characters. Each is a syllable, so it becomes a word. */
const HAN: readonly Rule[] = [
  [/(\p{sc=Han})々/gu, "$1$1"],
  [/\p{sc=Han}/gu, " $& "],
];

const RULES = [...CYRILLIC, ...GREEK, ...HEBREW, ...ARABIC, ...DEVANAGARI, ...KANA, ...HAN];

/**
 * Returns a text of any script in ASCII letters. Chinese characters are read as in Mandarin, in Japanese texts too. The
 * text must be in lower case and in the normal form NFKC. The result can contain capitals, apostrophes and punctuation.
 */
export function romanize(text: string): string {
  return anyAscii(
    RULES.reduce((result, [pattern, replacement]) => replace(result, pattern, replacement), text),
  );
}

/** Calls `replaceAll`, whose declaration takes either a text or a function, but not a value that is one of them. */
function replace(text: string, pattern: RegExp, replacement: Rule[1]): string {
  return typeof replacement === "string"
    ? text.replaceAll(pattern, replacement)
    : text.replaceAll(pattern, replacement);
}

/** Returns a kana and the small kana after it as one syllable, such as "kyo" for き and ょ, "fa" for ふ and ぁ. */
function joinKana(kana: string, small: string): string {
  const syllable = anyAscii(kana);
  const sound = anyAscii(small);
  if (syllable.length === 1) return syllable === "u" ? `w${sound}` : `${syllable}${sound}`;
  const consonant = syllable.slice(0, -1);
  return /(?:sh|ch|j)$/.test(consonant) ? `${consonant}${sound.slice(-1)}` : `${consonant}${sound}`;
}

/** Returns the letter that a small tsu adds before a syllable: its consonant, "t" before "ch". */
function doubleConsonant(syllable: string): string {
  const [first = ""] = syllable;
  return first === "c" ? "t" : first;
}
