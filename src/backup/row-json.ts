// Pure: no I/O, clock or randomness.

/**
 * Rows as lines of JSON, written and read by SQLite itself, so that every value keeps its type and all its digits. A
 * line is an array. Texts, nulls and integers (of up to 64 bits) are JSON values. Other values are objects:
 * `{"real": "0.5"}`, `{"blob": "00ff"}`, and `{"text": "6100"}` in hexadecimal digits for a text with a zero character.
 */

/** Returns the SQL expression for a row as a line. */
export function writeLine(columns: readonly string[]): string {
  return `json_array(${columns.map((column) => writeValue(quoteName(column))).join(", ")})`;
}

function writeValue(column: string): string {
  // SQLite can't read `Inf`, but reads numbers that are too large as infinite.
  return `CASE typeof(${column})
    WHEN 'real' THEN json_object('real', replace(printf('%!.17g', ${column}), 'Inf', '9e999'))
    WHEN 'blob' THEN json_object('blob', hex(${column}))
    WHEN 'text' THEN iif(instr(${column}, char(0)), json_object('text', hex(${column})), ${column})
    ELSE ${column} END`;
}

/** Returns the SQL expressions for the values of a line. `line` is an SQL expression. */
export function readLine(line: string, columns: readonly string[]): string {
  return columns.map((_, index) => readValue(line, index)).join(", ");
}

function readValue(line: string, index: number): string {
  return `CASE json_type(${line}, '$[${index}]') WHEN 'object' THEN
      coalesce(CAST(${line} ->> '$[${index}].real' AS REAL), unhex(${line} ->> '$[${index}].blob'),
               CAST(unhex(${line} ->> '$[${index}].text') AS TEXT))
    ELSE ${line} ->> '$[${index}]' END`;
}

/** Quotes the name of a table or column. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
