/** Wrangler cuts this out of all SQL text it is given, and `COMMIT;` with it, even out of a literal. */
const TRIMMED = "BEGIN TRANSACTION";
const TRIMMED_APART = "BEGIN' || ' TRANSACTION";

/**
 * A value as an SQLite literal. The admin command reaches a deployed database through a tool that takes SQL text and
 * no bound values, so this is the one place where a value becomes SQL. Throws on text that SQL text cannot hold.
 */
export function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError(`not a whole number: ${value}`);
    return String(value);
  }
  if (value.includes("\0") || !value.isWellFormed())
    throw new RangeError("text with a null character or a lone surrogate");
  return `'${value.replaceAll("'", "''").replaceAll(TRIMMED, TRIMMED_APART)}'`;
}

/** SQL text whose `${…}` are literals: `` sql`SELECT * FROM links WHERE id = ${id}` ``. */
export function sql(text: TemplateStringsArray, ...values: (string | number | null)[]): string {
  return text.reduce(
    (query, part, index) => `${query}${literal(values[index - 1] as string | number | null)}${part}`,
  );
}
