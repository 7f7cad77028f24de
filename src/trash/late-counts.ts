import type { TrashKind } from "./trash.table.ts";

/** How a count is added to a column. */
type Operation = "sum" | "max";

/**
 * Prepares the statement that adds counts to items in the trash: scans or visits from before the deletion that
 * are counted after it. `tallies` is a JSON array of arrays: the item's id, a value for each of the two columns,
 * and the id of the workspace.
 */
export function prepareLateCounts(
  d1: D1Database,
  kind: TrashKind,
  tallies: string,
  columns: readonly [name: string, operation: Operation][],
): D1PreparedStatement {
  const values = columns.map(([name, operation], index) => {
    const [before, added] = [`coalesce(trash.item ->> '${name}', 0)`, `(tally.value ->> ${index + 1})`];
    return `'$.${name}', ${operation === "sum" ? `${before} + ${added}` : `max(${before}, ${added})`}`;
  });
  return d1
    .prepare(
      `UPDATE trash SET item = json_set(trash.item, ${values.join(", ")}) FROM json_each(?1) AS tally
        WHERE trash.item_id = tally.value ->> 0 AND trash.kind = '${kind}' AND trash.workspace_id = tally.value ->> 3`,
    )
    .bind(tallies);
}
