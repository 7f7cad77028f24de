/**
 * Runs a statement on the nearest copy of a database. If `isCurrent` rejects a replica's result, runs it on
 * the primary. A replica may lag by any amount of time. Without `isCurrent`, only reads the primary.
 */
export async function readCurrent<Row, Result>(
  d1: D1Database,
  sql: string,
  values: readonly unknown[],
  parse: (rows: Row[]) => Result,
  isCurrent: ((result: Result) => boolean) | null,
): Promise<Result> {
  const read = (constraint: D1SessionConstraint) =>
    d1
      .withSession(constraint)
      .prepare(sql)
      .bind(...values)
      .all<Row>();
  if (isCurrent !== null) {
    const { results, meta } = await read("first-unconstrained");
    const near = parse(results);
    if (meta?.served_by_primary === true || isCurrent(near)) return near;
  }
  return parse((await read("first-primary")).results);
}
