/** Text that wrangler removes from SQL together with `COMMIT;`, even inside literals. */
const REMOVED_TEXT = "BEGIN TRANSACTION";
/** Replacement inside literals. The SQL has the same value, but wrangler doesn't recognise the text. */
const REMOVED_TEXT_SPLIT = "BEGIN' || ' TRANSACTION";

/**
 * Formats a value as an SQLite literal, because `wrangler d1 execute` doesn't support bound values.
 * Throws a `RangeError` for unsafe integers, null characters and lone surrogates.
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
