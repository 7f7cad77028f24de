// Pure: no I/O, clock or randomness.

/**
 * Text in Helvetica, which every PDF viewer has (ISO 32000-1 section 9.6.2.2), in the encoding WinAnsi (annex D). It has
 * the characters of western European languages.
 */

/** Characters of WinAnsi from 0x80. A space marks unused codes. */
const HIGH_CHARACTERS =
  "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ" +
  "\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";

/** Widths in thousandths of the font size (Adobe Core 14 font metrics), with the characters that have them. */
const WIDTHS: readonly [width: number, characters: string][] = [
  [191, "'"],
  [222, "ijl‚‘’"],
  [260, "|¦"],
  [278, " !,./:;I[\\]ft·\u00a0"],
  [333, "()-`rˆ˜“”„‹›¡¨¯²³´¸¹\u00ad"],
  [334, "{}"],
  [355, '"'],
  [350, "•"],
  [370, "ª"],
  [365, "º"],
  [389, "*"],
  [400, "°"],
  [469, "^"],
  [500, "Jckszvxy"],
  [537, "¶"],
  [584, "+<=>~¬±×÷"],
  [611, "FTZßø¿"],
  [667, "&ABEKPSVXYÞ"],
  [722, "CDHNRUwÐ"],
  [737, "©®"],
  [778, "GOQØ"],
  [833, "Mm"],
  [834, "¼½¾"],
  [889, "%æ"],
  [944, "Wœ"],
  [1000, "Æ…‰Œ™—"],
  [1015, "@"],
];
const WIDTH_DEFAULT = 556;

const widths = new Map(WIDTHS.flatMap(([width, text]) => [...text].map((character) => [character, width])));
const codes = new Map<string, number>([
  ...Array.from({ length: 95 }, (_, index) => [String.fromCharCode(0x20 + index), 0x20 + index] as const),
  ...[...HIGH_CHARACTERS].flatMap((character, index) =>
    character === " " ? [] : [[character, 0x80 + index] as const],
  ),
]);

/** Returns true if Helvetica has all characters of a text. */
export function isPrintable(text: string): boolean {
  return [...text.normalize("NFC")].every((character) => codes.has(character));
}

/** Measures a text in thousandths of the font size. An accented letter is as wide as its base letter. */
export function measureText(text: string): number {
  let sum = 0;
  for (const character of text.normalize("NFC"))
    sum += widths.get(character) ?? widths.get(character.normalize("NFD")[0] ?? "") ?? WIDTH_DEFAULT;
  return sum;
}

/** Cuts a text with an ellipsis to a width in thousandths of the font size, as `measure` returns it. */
export function fitText(text: string, widthMax: number, measure = measureText): string {
  if (measure(text) <= widthMax) return text;
  const characters = [...text.normalize("NFC")];
  while (characters.length > 0 && measure(`${characters.join("")}…`) > widthMax) characters.pop();
  return `${characters.join("").trimEnd()}…`;
}

/** Formats printable text as a string in PDF syntax (ISO 32000-1 section 7.3.4.3). */
export function formatPdfString(text: string): string {
  const hex = [...text.normalize("NFC")].map((character) =>
    (codes.get(character) ?? 0x20).toString(16).padStart(2, "0"),
  );
  return `<${hex.join("")}>`;
}
