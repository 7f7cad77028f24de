/** Labels of many links at once. */

/** Labels of some links, with the number of links that have each. */
export function countLabels(links: readonly { labels: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { labels } of links) for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}

/** Returns the labels after a change, or null if they stay as they are. */
export function changeLabels(
  labels: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] | null {
  const kept = labels.filter((label) => !removed.includes(label));
  const fresh = added.filter((label) => !kept.includes(label));
  return fresh.length === 0 && kept.length === labels.length ? null : [...kept, ...fresh];
}
