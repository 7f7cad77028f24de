/** Longer texts are not remembered, so that nobody can fill an isolate's memory with them. */
const TEXT_MAX_LENGTH = 1_000;
const ENTRIES_MAX = 1_000;

/**
 * The same function, with a memory of what it made of texts it was given lately. For a pure one that costs more than to
 * look its text up, and whose results nobody changes.
 */
export function memoized<Result>(make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const remembered = known.get(text);
    if (remembered !== undefined) return remembered;
    const made = make(text);
    if (text.length > TEXT_MAX_LENGTH) return made;
    if (known.size >= ENTRIES_MAX) known.delete(known.keys().next().value as string);
    known.set(text, made);
    return made;
  };
}
