// Pure: no I/O, clock or randomness.
import { parseFlag, splitLabels, toColumnKey } from "../cell-text.ts";
import { type ColumnField, type ColumnMap, guessColumns } from "../column-map.ts";
import type { CsvRecord, CsvTable } from "../csv-table.ts";
import { cutText, type ForeignLink, quote } from "../foreign-link.ts";
import { ImportFormatError } from "../import-row.ts";
import { buildAppRules } from "./foreign-rules.ts";

/** Returns the text of a record's field, or an empty string if the field has no column. */
export type FieldReader = (record: CsvRecord, field: ColumnField) => string;

/** Returns a function that reads a table's fields. Throws {@link ImportFormatError} for a missing column. */
export function createFieldReader({ header, headerLine }: CsvTable, given?: ColumnMap): FieldReader {
  const columns = given ?? guessColumns(header);
  const keys = header.map(toColumnKey);
  const indexes = new Map<ColumnField, number>();
  for (const [field, name] of Object.entries(columns)) {
    const exact = header.indexOf(name);
    const index = exact >= 0 ? exact : keys.indexOf(toColumnKey(name));
    if (index < 0) {
      throw new ImportFormatError(
        `line ${headerLine}: found ${describeColumns(header)}, expected a column "${name}" for ${field}`,
      );
    }
    indexes.set(field as ColumnField, index);
  }
  if (!indexes.has("url")) {
    throw new ImportFormatError(
      `line ${headerLine}: found ${describeColumns(header)}, expected one with the destination, such as url; map url to that column`,
    );
  }
  return ({ cells }, field) => cells[indexes.get(field) ?? -1] ?? "";
}

const COLUMNS_SHOWN = 12;
const NAME_SHOWN_LENGTH = 40;

/** Describes a header for a message. */
export function describeColumns(header: readonly string[]): string {
  const names = header.slice(0, COLUMNS_SHOWN).map((name) => cutText(name, NAME_SHOWN_LENGTH) || "(empty)");
  const rest = header.length - names.length;
  return `the ${header.length === 1 ? "column" : "columns"} ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}

/** Reads a record of any table. Adds a note for each value that should be yes or no and isn't. */
export function readCsvLink(record: CsvRecord, read: FieldReader): ForeignLink {
  const text = (field: ColumnField) => read(record, field);
  const notes: string[] = [];
  const flag = (field: ColumnField, otherwise: boolean) => {
    if (text(field) === "") return otherwise;
    const value = parseFlag(text(field));
    if (value === null) notes.push(`${field} ${quote(text(field))} is neither yes nor no, so it was ignored`);
    return value ?? otherwise;
  };
  return {
    line: record.line,
    url: text("url"),
    formerUrl: text("former_url"),
    slug: text("custom_slug"),
    title: text("title"),
    note: text("note"),
    labels: splitLabels(text("labels")),
    createdAt: text("created_at"),
    startsAt: text("starts_at"),
    earlyUrl: text("early_url"),
    expiresAt: text("expires_at"),
    expiredUrl: text("expired_url"),
    archived: flag("archived", false),
    closed: flag("enabled", true) ? null : "is disabled in the file",
    maxScans: text("max_scans"),
    scans: text("imported_scans"),
    password: text("password"),
    forwardQuery: flag("forward_query", false),
    confirm: flag("confirm", false),
    rules: buildAppRules(text("ios_url"), text("android_url")),
    notes,
  };
}
