// Pure: no I/O, clock or randomness.

/** Number of colours for labels in `tokens.css`. */
export const HUES = 8;

/** Returns the colour of a label, from 1. It derives from the text, so that nothing is stored. */
export function pickHue(label: string): number {
  let sum = 0;
  for (const character of label) sum = (sum * 37 + (character.codePointAt(0) ?? 0)) % 65_521;
  // The lowest bits of similar words are often the same.
  return ((sum >> 3) % HUES) + 1;
}
