// Pure: no I/O, clock or randomness.
import type { PreparedRow } from "../../../client/import/generated-codes.ts";
import { LABELS_MAX } from "../../../links/link-limits.ts";

/** Labels that are added to all links of an import. */

/**
 * Adds labels to rows. It is called after codes were generated: a generated code derives from the row without
 * these labels, so importing the same file again with other labels finds the existing links instead of
 * creating them twice.
 */
export function addLabels(rows: readonly PreparedRow[], labels: readonly string[]): readonly PreparedRow[] {
  if (labels.length === 0) return rows;
  return rows.map((row) => {
    if (!("link" in row)) return row;
    const all = [...new Set([...(row.link.labels ?? []), ...labels])];
    const kept = all.slice(0, LABELS_MAX);
    const lost = all.slice(LABELS_MAX);
    if (lost.length === 0) return { ...row, link: { ...row.link, labels: kept } };
    const which = lost.length === 1 ? "this label was" : "these labels were";
    const notes = [...row.notes, `label limit reached, so ${which} left out: ${lost.join(", ")}`];
    return { ...row, link: { ...row.link, labels: kept }, notes };
  });
}
