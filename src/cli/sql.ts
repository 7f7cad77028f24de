/** Text that wrangler removes from SQL, together with `COMMIT;`, even inside a literal. */
const REMOVED_TEXT = "BEGIN TRANSACTION";
/** Expression for the same text, inside a literal, that wrangler leaves alone. */
const REMOVED_TEXT_SPLIT = "BEGIN' || ' TRANSACTION";

/**
 * Formats a value as an SQLite literal. `wrangler d1 execute` accepts SQL text and no bound values. Throws a
 * `RangeError` on a number that is not a safe integer, a null character or a lone surrogate.
 */
export function formatLiteral(value: string | number | null): string {
  if (value === null) return "NULL";
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError(`not a safe integer: ${value}`);
    return String(value);
  }
  if (value.includes("\0") || !value.isWellFormed())
    throw new RangeError("text with a null character or a lone surrogate");
  return `'${value.replaceAll("'", "''").replaceAll(REMOVED_TEXT, REMOVED_TEXT_SPLIT)}'`;
}

/** Builds SQL text with `${…}` as literals: `` sql`SELECT * FROM links WHERE id = ${id}` ``. */
export function sql(text: TemplateStringsArray, ...values: (string | number | null)[]): string {
  return text.reduce(
    (query, part, index) => `${query}${formatLiteral(values[index - 1] as string | number | null)}${part}`,
  );
}
