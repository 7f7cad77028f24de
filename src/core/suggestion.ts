/** Maximum number of edits between a name and its suggestion. */
const EDITS_MAX = 2;
/** Characters that the suggestion must have for each edit. */
const CHARACTERS_PER_EDIT = 3;

/**
 * Returns the known name that an unknown name was probably meant to be, or undefined. Picks the nearest name,
 * otherwise the only name that contains the unknown one as a word, as `custom_slug` contains `slug`. Ignores
 * case when comparing edits. The work is bounded by the known names, however long the unknown name is.
 */
export function suggestName(unknown: string, knownNames: readonly string[]): string | undefined {
  return findNearest(unknown, knownNames) ?? findByWord(unknown, knownNames);
}

function findByWord(word: string, knownNames: readonly string[]): string | undefined {
  const [first, ...others] = knownNames.filter((known) => known.split("_").includes(word));
  return others.length === 0 ? first : undefined;
}

/** Returns the nearest known name with at most two edits, and at most one edit per three characters. */
function findNearest(unknown: string, knownNames: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewestEdits = EDITS_MAX + 1;
  for (const known of knownNames) {
    const editsMax = Math.min(fewestEdits - 1, Math.floor(known.length / CHARACTERS_PER_EDIT));
    if (Math.abs(unknown.length - known.length) > editsMax) continue;
    const edits = countEdits(unknown.toLowerCase(), known.toLowerCase());
    if (edits > editsMax) continue;
    nearest = known;
    fewestEdits = edits;
  }
  return nearest;
}

/**
 * Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn one text into
 * another (Damerau–Levenshtein distance, optimal string alignment variant).
 */
function countEdits(from: string, to: string): number {
  let rowBefore: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  const at = (values: number[], column: number) => values[column] ?? Number.POSITIVE_INFINITY;
  for (let index = 0; index < from.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const substitution = at(row, column) + (from[index] === to[column] ? 0 : 1);
      const isSwap = from[index] === to[column - 1] && from[index - 1] === to[column];
      const swap = isSwap ? at(rowBefore, column - 1) + 1 : substitution;
      next.push(Math.min(at(row, column + 1) + 1, at(next, column) + 1, substitution, swap));
    }
    [rowBefore, row] = [row, next];
  }
  return at(row, to.length);
}
