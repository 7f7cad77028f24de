// Pure: no I/O, clock or randomness.

/** Formats a number with its noun: `1 link`, `1,204 links`. The default plural ends with "s". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
}
