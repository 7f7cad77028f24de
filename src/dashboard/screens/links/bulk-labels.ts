// Pure: no I/O, clock or randomness.

/** Labels of several selected links. */

/** Counts for each label how many links have it. */
export function countLabels(links: readonly { labels: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { labels } of links) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Returns a link's labels after a change, or null if they stay the same. */
export function changeLabels(
  labels: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] | null {
  const kept = labels.filter((label) => !removed.includes(label));
  const fresh = added.filter((label) => !kept.includes(label));
  return fresh.length === 0 && kept.length === labels.length ? null : [...kept, ...fresh];
}
