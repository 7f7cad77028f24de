// Pure: no I/O, clock or randomness.

/**
 * Spelling of letters that no decomposition turns into ASCII, as pairs of a letter and its spelling, by script. Follows the
 * common romanizations: BGN/PCGN for Cyrillic, ELOT 743 for Greek, DIN 31636 and DIN 31635 simplified for Hebrew and
 * Arabic, Hunterian for Devanagari, the national systems for Georgian and Armenian, and Hepburn for kana.
 */
const SPELLINGS = `
  ß ss æ ae ð d ø o þ th đ d ħ h ı i ĸ q ł l ŋ ng œ oe ŧ t ə e ƒ f ɓ b ɗ d ɛ e ɔ o ƙ k ƴ y ʒ zh

  а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ы y э e
  ю yu я ya ђ dj є ie ѕ dz і i ї i ј j љ lj њ nj ћ c ў u џ dzh ґ g ғ gh қ q ң ng ү u ұ u һ h ө o ә a

  α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o

  א a ב v ג g ד d ה h ו v ז z ח h ט t י y כ kh ך kh ל l מ m ם m נ n ן n ס s פ f ף f צ ts ץ ts ק k ר r ש s ת t
  \u05b0 e \u05b1 e \u05b2 a \u05b3 o \u05b4 i \u05b5 e \u05b6 e \u05b7 a \u05b8 a \u05b9 o \u05ba o \u05bb u \u05c7 o

  ا a آ a ب b ة h ت t ث th ج j ح h خ kh د d ذ dh ر r ز z س s ش sh ص s ض d ط t ظ dh غ gh ف f ق q ك k ل l م m ن n ه h و w
  ى a ي y ؤ u ئ i پ p چ ch ژ zh ک k گ g ی y ٹ t ڈ d ڑ r ں n ہ h ھ h ے e ۀ e \u064e a \u064f u \u0650 i

  अ a आ a इ i ई i उ u ऊ u ऋ r ए e ऐ ai ऑ o ओ o औ au क k ख kh ग g घ gh ङ n च c छ ch ज j झ jh ञ n ट t ठ th ड d ढ dh ण n
  त t थ th द d ध dh न n प p फ ph ब b भ bh म m य y र r ल l ळ l व v श s ष s स s ह h \u0901 m \u0902 m \u0903 h \u093e a
  \u093f i \u0940 i \u0941 u \u0942 u \u0943 r \u0947 e \u0948 ai \u0949 o \u094b o \u094c au

  ა a ბ b გ g დ d ე e ვ v ზ z თ t ი i კ k ლ l მ m ნ n ო o პ p ჟ zh რ r ს s ტ t უ u ფ p ქ k ღ gh ყ q შ sh ჩ ch ც ts ძ dz
  წ ts ჭ ch ხ kh ჯ j ჰ h

  ա a բ b գ g դ d ե e զ z է e ը y թ t ժ zh ի i լ l խ kh ծ ts կ k հ h ձ dz ղ gh ճ ch մ m յ y ն n շ sh ո o չ ch պ p ջ j
  ռ rr ս s վ v տ t ր r ց ts ւ w փ p ք k օ o ֆ f

  ぁ a あ a ぃ i い i ぅ u う u ぇ e え e ぉ o お o か ka が ga き ki ぎ gi く ku ぐ gu け ke げ ge こ ko ご go さ sa ざ za し shi
  じ ji す su ず zu せ se ぜ ze そ so ぞ zo た ta だ da ち chi ぢ ji っ t つ tsu づ zu て te で de と to ど do な na に ni ぬ nu
  ね ne の no は ha ば ba ぱ pa ひ hi び bi ぴ pi ふ fu ぶ bu ぷ pu へ he べ be ぺ pe ほ ho ぼ bo ぽ po ま ma み mi む mu め me
  も mo ゃ ya や ya ゅ yu ゆ yu ょ yo よ yo ら ra り ri る ru れ re ろ ro ゎ wa わ wa ゐ i ゑ e を o ん n ゔ vu
`;

/** Spelling of each letter in lower case. */
export const LETTERS: ReadonlyMap<string, string> = new Map(
  Array.from(SPELLINGS.matchAll(/(\S+)\s+([a-z]+)/g), ([, letter = "", spelling = ""]) => [letter, spelling]),
);
