// Pure: no I/O, clock or randomness.
import { LETTERS } from "./letters.ts";

/** Pattern and the replacement for each match. */
type Rule = readonly [
  pattern: RegExp,
  replacement: string | ((match: string, ...groups: string[]) => string),
];

/**
 * Rules for what a table of single letters can't say: letters whose sound depends on their neighbours, and
 * unwritten vowels. The rules are applied in order, before the table, to lower-case text in NFKC form.
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
  [/[っッ]([\p{sc=Hira}\p{sc=Kana}a-z])/gu, (_, next) => `${doubleConsonant(spell(next))}${next}`],
];

const RULES = [...CYRILLIC, ...GREEK, ...HEBREW, ...ARABIC, ...DEVANAGARI, ...KANA];

/** First and last Hangul syllable. Syllables are numbered by initial, vowel and final (Unicode section 3.12). */
const [HANGUL_FIRST, HANGUL_LAST] = [0xac00, 0xd7a3];
/** Revised Romanization of the 19 initials, 21 vowels and 28 finals. */
const INITIALS = "g,kk,n,d,tt,r,m,b,pp,s,ss,,j,jj,ch,k,t,p,h".split(",");
const VOWELS = "a,ae,ya,yae,eo,e,yeo,ye,o,wa,wae,oe,yo,u,wo,we,wi,yu,eu,ui,i".split(",");
const FINALS = ",k,k,k,n,n,n,t,l,k,m,l,l,l,p,l,m,p,p,t,t,ng,t,t,k,t,p,t".split(",");

/** Digit zero of each script in the table that has its own digits. The other nine digits follow it. */
const ZEROS = [0x660, 0x6f0, 0x966];

/**
 * Converts text to ASCII letters: Latin letters with accents, Cyrillic, Greek, Hebrew, Arabic, Devanagari, Georgian,
 * Armenian, kana and Hangul. Drops characters of other scripts, such as Chinese: a table of their readings would be a
 * fifth of the Worker. The text must be lower case and in NFKC form.
 */
export function romanize(text: string): string {
  const ruled = RULES.reduce((result, [pattern, replacement]) => replace(result, pattern, replacement), text);
  return spell(ruled);
}

/** Converts each character by itself. */
function spell(text: string): string {
  return Array.from(text.normalize("NFC"), spellCharacter).join("");
}

function spellCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return character;
  const known = LETTERS.get(character);
  if (known !== undefined) return known;
  if (code >= HANGUL_FIRST && code <= HANGUL_LAST) return spellSyllable(code - HANGUL_FIRST);
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  if (zero !== undefined) return String(code - zero);
  // Katakana are in the same order as hiragana.
  if (code >= 0x30a1 && code <= 0x30f6) return LETTERS.get(String.fromCodePoint(code - 0x60)) ?? "";
  const parts = character.normalize("NFKD");
  // Separates an accent from its letter. Drops a character that has no decomposition, because its script
  // isn't supported.
  return parts === character ? "" : Array.from(parts, spellCharacter).join("");
}

function spellSyllable(index: number): string {
  const initial = Math.floor(index / (VOWELS.length * FINALS.length));
  const vowel = Math.floor(index / FINALS.length) % VOWELS.length;
  return `${INITIALS[initial]}${VOWELS[vowel]}${FINALS[index % FINALS.length]}`;
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
  const syllable = spell(kana);
  const sound = spell(small);
  if (syllable.length === 1) return syllable === "u" ? `w${sound}` : `${syllable}${sound}`;
  const consonant = syllable.slice(0, -1);
  return /(?:sh|ch|j)$/.test(consonant) ? `${consonant}${sound.slice(-1)}` : `${consonant}${sound}`;
}

/** Returns the letter that a small tsu adds before a syllable: its consonant, or "t" before "ch". */
function doubleConsonant(syllable: string): string {
  const [first = ""] = syllable;
  return first === "c" ? "t" : first;
}
